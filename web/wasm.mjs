// Builds the module of the page and of Node.js: wasm.mjs [--check]
//
// The page has the module compressed. --check compares the stamp with the sources, and expands that module
// for Node.js: it needs Node.js alone.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'web/wasm');
const assets = join(root, 'crates/ign-server/assets');
const stampFile = join(target, 'sources.txt');
const code = join(target, 'ign_web_bg.wasm');
const compressed = join(assets, 'ign_web.wasm.gz');
const script = 'ign_web.js';
const crates = ['ign-api', 'ign-archive', 'ign-entropy', 'ign-format', 'ign-notation', 'ign-web'];

function* files(path) {
  if (!statSync(path).isDirectory()) yield path;
  else for (const name of readdirSync(path).sort()) yield* files(join(path, name));
}

/** A checksum of what the module is built from, beside the compiler and other packages. */
function stamp() {
  const hash = createHash('sha256');
  const parts = crates.flatMap((name) =>
    ['Cargo.toml', 'src'].map((part) => join(root, 'crates', name, part)),
  );
  for (const path of parts.flatMap((part) => [...files(part)])) {
    hash.update(`${relative(root, path).replaceAll('\\', '/')}\n`).update(readFileSync(path));
  }
  return `${hash.digest('hex')}\n`;
}

/** The version of a package in the lock file. */
function locked(name) {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8');
  return new RegExp(`name = "${name}"\nversion = "([^"]+)"`).exec(lock)[1];
}

function run(command, args, env = {}) {
  execFileSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
}

function build() {
  const cargo = process.env.CARGO ?? 'cargo';
  const tools = join(root, 'target/wasm-bindgen');
  const version = locked('wasm-bindgen');
  const tool = join(tools, 'bin/wasm-bindgen');
  const has = existsSync(tool) && String(execFileSync(tool, ['--version'])).includes(version);
  if (!has) run(cargo, ['install', '--quiet', 'wasm-bindgen-cli', '--version', version, '--root', tools]);
  // Messages of panics name source files: without the folders of this machine.
  const home = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const flags = [
    '-Ctarget-feature=+simd128',
    '--cfg=move_model_apart',
    `--remap-path-prefix=${home}=cargo`,
    `--remap-path-prefix=${root}=.`,
  ];
  const wasm = 'wasm32-unknown-unknown';
  const env = { CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') };
  run(cargo, ['build', '--locked', '--target', wasm, '--profile', 'web', '-p', 'ign-web'], env);
  const module = join(root, 'target', wasm, 'web/ign_web.wasm');
  const options = [
    '--target',
    'web',
    '--remove-name-section',
    '--remove-producers-section',
    '--no-typescript',
  ];
  run(tool, [...options, '--out-dir', target, module]);
  writeFileSync(compressed, gzipSync(readFileSync(code), { level: 9 }));
  copyFileSync(join(target, script), join(assets, script));
  writeFileSync(stampFile, stamp());
}

/** The module of the page, for Node.js. */
function expand() {
  writeFileSync(code, gunzipSync(readFileSync(compressed)));
  copyFileSync(join(assets, script), join(target, script));
}

if (process.argv.includes('--check')) {
  const kept = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (kept !== stamp()) {
    console.error('web/wasm is not built from these sources: make wasm');
    process.exit(1);
  }
  expand();
} else {
  build();
}
