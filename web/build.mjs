// Builds the page into crates/ign-server/assets: build.mjs [--check]
//
// The same sources and packages give the same bytes. --check compares a build with the files that are there
// and writes nothing.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const target = join(root, '../crates/ign-server/assets');
const packages = ['chessground', 'chessops', '@badrap/result'];

const modules = (name) => join(root, 'node_modules', name);

async function bundle(entry, options) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
    ...options,
  });
  return Buffer.from(result.outputFiles[0].contents);
}

/** The pieces of chessground's style sheet as one picture: a column a role, a row a colour. */
async function pieces() {
  const css = await readFile(join(modules('chessground'), 'assets/chessground.cburnett.css'), 'utf8');
  const parts = [];
  for (const [row, color] of ['white', 'black'].entries()) {
    for (const [column, role] of ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'].entries()) {
      const data = new RegExp(`piece\\.${role}\\.${color} \\{[^}]*base64,([^']+)'`).exec(css);
      if (!data) throw new Error(`chessground has no picture of the ${color} ${role}`);
      const picture = Buffer.from(data[1], 'base64').toString().trim();
      parts.push(
        picture.replace('<svg xmlns="http://www.w3.org/2000/svg"', `<svg x="${column * 45}" y="${row * 45}"`),
      );
    }
  }
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="270" height="90" viewBox="0 0 270 90">${parts.join('')}</svg>\n`,
  );
}

async function licences() {
  const parts = [
    'The page of ign serve is part of ign, licence GPL-3.0-or-later.',
    'Chess pieces: cburnett, by Colin M. L. Burnett, licence GPL-2.0-or-later, as packaged by chessground.',
    'It contains these packages:',
  ];
  for (const name of packages) {
    const { version, license } = JSON.parse(await readFile(join(modules(name), 'package.json'), 'utf8'));
    parts.push(`${name} ${version}, licence ${license}, https://www.npmjs.com/package/${name}`);
  }
  const text = await readFile(join(modules('chessground'), 'LICENSE'), 'utf8');
  return Buffer.from(`${parts.join('\n')}\n\n${text.trim()}\n`);
}

/** The reader of archives in WebAssembly, which `make wasm` builds. */
const built = ['ign_web.js', 'ign_web.wasm.gz'];

async function outputs() {
  const copy = (name) => readFile(join(root, 'static', name));
  return new Map([
    ['app.css', await bundle('style/main.css', { external: ['*.svg'] })],
    ['app.js', await bundle('src/main.ts', { format: 'esm' })],
    ['worker.js', await bundle('src/local/worker.ts', { format: 'esm' })],
    ['icon.svg', await copy('icon.svg')],
    ['index.html', await copy('index.html')],
    ['licences.txt', await licences()],
    ['pieces.svg', await pieces()],
    ['theme.js', await bundle('static/theme.js')],
  ]);
}

async function check(files) {
  const there = await readdir(target).catch(() => []);
  const wrong = there.filter((name) => !files.has(name) && !built.includes(name));
  for (const [name, bytes] of files) {
    const old = await readFile(join(target, name)).catch(() => null);
    if (!old?.equals(bytes)) wrong.push(name);
  }
  if (wrong.length > 0) {
    console.error(
      `crates/ign-server/assets is not the build of web/: ${wrong.join(', ')}; run 'make web' and commit it`,
    );
    process.exit(1);
  }
  console.log('crates/ign-server/assets is the build of web/');
}

const files = await outputs();
if (process.argv.includes('--check')) {
  await check(files);
} else {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(target)) {
    if (!files.has(name) && !built.includes(name)) await rm(join(target, name));
  }
  for (const [name, bytes] of files) {
    await writeFile(join(target, name), bytes);
    console.log(`${name.padEnd(14)}${String(bytes.length).padStart(8)} bytes`);
  }
}
