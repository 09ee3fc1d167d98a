// Tests of the page in a browser: run.mjs [IGN]
//
// Packs generated games with the command ign, and runs the tests of this folder twice: on the page of `ign serve`, and
// on that of `ign site` on a static server. Chromium is that of the system, or the program that CHROMIUM names. With
// SCREENSHOTS=1 the pictures of docs/images are written again. ONLY=game runs the files whose names have this word,
// PAGE=serve (make web-test) or PAGE=site (make web-site-test) those of one page.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const GAMES = '3000';
/** Tests of a site alone, and tests without a page. */
const SITE_ONLY = /(site|local)\.test\.mjs$/;
const WITHOUT_PAGE = /(line|state|charts|format)\.test\.mjs$/;

/** Games that are hard to show: quotes in a tag, a name that turns the direction around, long values, no result. */
function hardGames() {
  const long = 'x'.repeat(5000);
  return [
    ['Smith, John "Jack"', 'Black One', '1. e4 e5 { good } 2. Nf3 Nc6 1-0'],
    ['\u202eRight, Ann', 'Black Two', '1. a4 a5 0-1'],
    [long, 'Black Three', '1. h4 h5 1-0'],
    ['White Four', 'Black Four', '1. b4 b5 *'],
    ['White Five', long, '*'],
  ]
    .map(([white, black, moves]) => {
      const tags = {
        Event: long,
        White: white,
        Black: black,
        WhiteTitle: 'IM',
        Opening: long,
        TimeControl: long,
      };
      const lines = Object.entries(tags).map(([name, value]) => `[${name} "${value}"]`);
      return `${lines.join('\n')}\n[Result "${moves.split(' ').at(-1)}"]\n\n${moves}\n\n`;
    })
    .join('');
}

function chromium() {
  const paths = process.env.CHROMIUM
    ? [process.env.CHROMIUM]
    : ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) =>
        (process.env.PATH ?? '').split(':').map((folder) => join(folder, name)),
      );
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error('Chromium is not installed: apt-get install chromium, or set CHROMIUM');
  return found;
}

function program() {
  const given = process.argv[2] ?? process.env.IGN;
  const paths = given ? [resolve(given)] : ['release', 'debug'].map((p) => join(root, '../target', p, 'ign'));
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error(`there is no program at ${paths.join(' or ')}; build it first`);
  return found;
}

/** Starts the server; resolves with its process and its address. */
function serve(ign, archives) {
  const server = spawn(ign, ['serve', '--port', '0', ...archives], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, failed) => {
    let text = '';
    server.on('error', failed);
    server.on('exit', (status) => failed(new Error(`ign serve ended with status ${status}`)));
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const address = /http:\/\/\S+/.exec(text);
      if (address) done({ server, address: address[0] });
    });
  });
}

/** Bundles the static server, and loads it. */
async function loadStatic(folder) {
  const outfile = join(folder, 'static.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [join(here, 'static.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    logLevel: 'warning',
  });
  return import(outfile);
}

async function bundleTests(folder) {
  const only = process.env.ONLY ?? '';
  const names = readdirSync(here).filter((name) => name.endsWith('.test.ts') && name.includes(only));
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => join(here, name)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    sourcemap: 'inline',
    external: ['playwright-core', 'axe-core'],
    logLevel: 'warning',
  });
  // Packages are found from where the bundles are.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return names.map((name) => join(folder, name.replace(/\.ts$/, '.mjs')));
}

async function main() {
  const ign = program();
  const folder = mkdtempSync(join(tmpdir(), 'ign-web-'));
  let server;
  let site;
  try {
    const run = (...args) =>
      execFileSync(ign, [...args, '-q'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    run('sample', '--games', GAMES, '--seed', '1', '--clocks', '-o', 'sample.pgn');
    // Plain integers replay fastest, and searches without an index replay.
    run('pack', 'sample.pgn', '--coding', 'ign');
    run('pack', join(here, 'annotated.pgn'), '-o', 'annotated.ign');
    writeFileSync(join(folder, 'hard.pgn'), hardGames());
    run('pack', 'hard.pgn');
    const archives = ['sample.ign', 'annotated.ign', 'hard.ign'].map((name) => join(folder, name));
    for (const archive of archives) run('index', archive);
    run('site', ...archives, '-o', 'site');
    const tests = await bundleTests(folder);
    const started = await serve(ign, archives);
    server = started.server;
    server.removeAllListeners('exit');
    site = await (await loadStatic(folder)).serveFolder(join(folder, 'site'));
    const environment = {
      ...process.env,
      IGN: ign,
      IGN_SERVER: started.address,
      IGN_SITE_FOLDER: join(folder, 'site'),
      IGN_ARCHIVES: archives.join(':'),
      IGN_WEB: root,
      CHROMIUM: chromium(),
    };
    const test = (page, names) => {
      if (names.length === 0 || ![page, undefined].includes(process.env.PAGE)) return 0;
      const env =
        page === 'site'
          ? { ...environment, IGN_URL: site.address, IGN_SITE: '1' }
          : { ...environment, IGN_URL: started.address };
      const child = spawn(process.execPath, ['--enable-source-maps', '--test', ...names], {
        env,
        stdio: 'inherit',
      });
      return new Promise((done) => child.on('exit', (status) => done(status ?? 1)));
    };
    const isOfSite = (name) => SITE_ONLY.test(name);
    const isOfBoth = (name) => !isOfSite(name) && !WITHOUT_PAGE.test(name);
    const first = await test(
      'serve',
      tests.filter((name) => !isOfSite(name)),
    );
    const second = await test(
      'site',
      tests.filter((name) => isOfSite(name) || isOfBoth(name)),
    );
    return first || second;
  } finally {
    server?.kill();
    site?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
