// Does the package do what its README says, and read addresses as files?

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { open, pack, version } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'ign-'));
after(() => rmSync(folder, { recursive: true }));

const game = (white, result) =>
  `[White "${white}"]\n[Black "Ben"]\n[Result "${result}"]\n\n1. e4 e5 2. Nf3 Nc6 ${result}\n\n`;

/** Writes an archive of 250 games, with an index. */
function written() {
  const text = Array.from({ length: 250 }, (_, i) => game(i % 2 ? 'Ann' : 'Cid', i % 5 ? '1-0' : '0-1')).join('');
  const { archive, index, games } = pack(text, { weighted: true });
  assert.equal(games, 250);
  const path = join(folder, 'club.ign');
  writeFileSync(path, archive);
  writeFileSync(`${path}.idx`, index);
  return { path, text };
}

test('the example of the README runs', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const code = readme.split('```js\n')[1].split('```')[0];
  const index = new URL('index.js', import.meta.url).href;
  writeFileSync(join(folder, 'example.mjs'), code.replace("from 'ign'", `from '${index}'`));
  const output = execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
  assert.equal(output, '1 Ann\n1\ne5\n');
});

test('games, searches and trees are those of the archive', () => {
  const { path, text } = written();
  const archive = open(path);
  assert.equal(archive.length, 250);
  assert.equal([...archive.games()].length, 250);
  assert.equal(archive.find({ white: 'Ann', count: true }).total, 125);
  assert.deepEqual(archive.find({ white: 'Ann', offset: 2e9 }).games, []);
  assert.equal(archive.tree({ play: 'e2e4' }).moves[0].white, 200);
  const all = Array.from({ length: 250 }, (_, i) => archive.pgn(i + 1)).join('');
  assert.equal(all, text);
  assert.equal(archive.answer('/api/nothing').status, 404);
  assert.throws(() => archive.find({ white_elo: 'x' }), /white_elo/);
  assert.throws(() => open(join(folder, 'none.ign')), /no such file/);
  assert.match(version, /^\d/);
});

/** Reads games of an archive; `text` has them in their order. */
function readGames(path, text) {
  const archive = open(path);
  let at = 0;
  for (let number = 1; number <= archive.length; number += number < 20 ? 1 : 17) {
    const pgn = Buffer.from(archive.pgn(number));
    if (text !== undefined) {
      const found = text.indexOf(pgn, at);
      assert.ok(found >= at, `${path}: game ${number}`);
      at = found + pgn.length;
    }
  }
  return archive.length;
}

test('games of the fixtures of the format are read, and most files that break a rule rejected', () => {
  const fixtures = new URL('../../tests/fixtures/v1/', import.meta.url);
  const { archives, refused } = JSON.parse(readFileSync(new URL('fixtures.json', fixtures), 'utf8'));
  for (const { archive, state, games, text: file } of archives) {
    const stored = readFileSync(new URL(file, fixtures));
    const text = file.endsWith('.gz') ? gunzipSync(stored) : stored;
    // PGN is a string here, so bytes that are not UTF-8 are not compared.
    const isText = text.equals(Buffer.from(text.toString('utf8')));
    const path = fileURLToPath(new URL(archive, fixtures));
    // The module is built without Go.
    if (/^(go-|own-models)/.test(archive)) assert.throws(() => readGames(path), /without Go/);
    else if (state === 'damaged') assert.throws(() => readGames(path));
    else assert.equal(readGames(path, isText ? text : undefined), games, archive);
  }
  // What a single game does not depend on is not checked; nothing may stop the module.
  let rejected = 0;
  for (const { file } of refused) {
    try {
      readGames(fileURLToPath(new URL(`refused/${file}`, fixtures)));
    } catch (error) {
      assert.ok(!(error instanceof WebAssembly.RuntimeError), file);
      rejected += 1;
    }
  }
  assert.ok(rejected > (refused.length * 3) / 4, `${rejected} of ${refused.length}`);
});

test('a game keeps every letter and is read as ISO 8859-1 if it is not UTF-8', () => {
  for (const [encoding, start] of [['utf8', '\ufeff'], ['latin1', '']]) {
    const text = start + game('Müller', '1-0');
    const path = join(folder, `${encoding}.ign`);
    writeFileSync(path, pack(Buffer.from(text, encoding)).archive);
    const archive = open(new URL(`file://${path}`));
    assert.equal(archive.game(1).white.name, 'Müller');
    const parts = Array.from({ length: archive.length }, (_, i) => archive.pgn(i + 1));
    assert.equal(parts.join(''), text);
  }
});

/** The text as a zstd frame that contains it as it is. */
function zstdFrame(text) {
  const block = Buffer.alloc(3);
  block.writeUIntLE(text.length * 8 + 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), block, Buffer.from(text)]);
}

test('compressed text is packed, and cut text is refused', () => {
  const text = game('Ann', '1-0').repeat(20);
  for (const compressed of [gzipSync(text), zstdFrame(text)]) {
    assert.equal(pack(compressed).games, 20);
    assert.throws(() => pack(compressed.subarray(0, -4)), /damaged or cut off/);
  }
});

test('an error of the reporter of progress ends the work', () => {
  const progress = () => {
    throw new RangeError('enough');
  };
  assert.throws(() => pack(game('Ann', '1-0'), { progress }), RangeError);
  assert.throws(() => pack(game('Ann', '1-0'), { progress: () => false }), /cancelled/);
});

test('games are read by pages, from an offset, up to a limit', () => {
  const packed = pack(game('Ann', '1-0').repeat(700) + game('Cid', '0-1').repeat(700));
  const path = join(folder, 'pages.ign');
  writeFileSync(path, packed.archive);
  const archive = open(path);
  const numbers = (conditions) => [...archive.games(conditions)].map(({ number }) => number);
  const from = (first, length) => Array.from({ length }, (_, i) => first + i);
  assert.deepEqual(numbers(), from(1, 1400));
  assert.deepEqual(numbers({ limit: 3 }), from(1, 3));
  assert.deepEqual(numbers({ offset: '1397', limit: '2' }), from(1398, 2));
  assert.throws(() => numbers({ offset: 'x' }), /offset/);
  assert.deepEqual(numbers({ offset: 690, limit: 600 }), from(691, 600));
  assert.deepEqual(numbers({ white: 'Cid', offset: 650, white_elo: null }), from(1351, 50));
  assert.deepEqual(numbers({ exclude: ['white=Cid', 'result=white'] }), []);
  assert.deepEqual(numbers({ exclude: ['white=Cid', 'result=black'], limit: 2 }), from(1, 2));
});

test('files are closed', () => {
  const { path } = written();
  const files = () => readdirSync('/proc/self/fd').length;
  const before = process.platform === 'linux' && files();
  for (let i = 0; i < 20; i += 1) {
    const archive = open(path);
    archive.close();
    archive.close();
    assert.throws(() => archive.game(1), /closed/);
    assert.throws(() => open(path, join(folder, 'none.ign')), /no such file/);
    assert.throws(() => open(`${path}.idx`), /not an ign archive/);
  }
  if (before) assert.equal(files(), before);
});

test('work that is told to stop stops', () => {
  const progress = (part) => part < 0.1;
  assert.throws(() => pack(game('Ann', '1-0').repeat(50000), { progress }), /cancelled/);
});

/** A server of the folder in a process of its own, since reading waits. */
async function serve(answersRanges) {
  const code = `
    const fs = require('fs');
    require('http').createServer((request, response) => {
      const path = ${JSON.stringify(folder)} + request.url;
      if (!fs.existsSync(path)) return response.writeHead(404).end();
      const bytes = fs.readFileSync(path);
      const range = /bytes=(\\d+)-(\\d+)/.exec(request.headers.range ?? '');
      if (!range || !${answersRanges}) return response.writeHead(200).end(bytes);
      const part = bytes.subarray(+range[1], +range[2] + 1);
      response.writeHead(206, { 'content-range': \`bytes \${range[1]}-\${range[2]}/\${bytes.length}\` }).end(part);
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const server = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data).trim())));
  return { server, url: `http://127.0.0.1:${port}` };
}

test('an address is read as a file is', async () => {
  written();
  const { server, url } = await serve(true);
  try {
    const archive = open(`${url}/club.ign`);
    assert.equal(archive.length, 250);
    assert.equal(archive.find({ white: 'Ann', count: true }).total, 125);
  assert.deepEqual(archive.find({ white: 'Ann', offset: 2e9 }).games, []);
    assert.throws(() => open(`${url}/none.ign`), /no such file/);
  } finally {
    server.kill();
  }
});

test('a server without ranges is named', async () => {
  written();
  const { server, url } = await serve(false);
  try {
    assert.throws(() => open(`${url}/club.ign`), /does not answer ranges/);
  } finally {
    server.kill();
  }
});

test('an index of another archive is named', async () => {
  const { path } = written();
  const other = join(folder, 'other.ign');
  writeFileSync(other, pack(game('Ann', '1-0')).archive);
  writeFileSync(`${other}.idx`, readFileSync(`${path}.idx`));
  const warned = once(process, 'warning');
  assert.equal(open(other).find({ white: 'Ann', count: true }).total, 1);
  const [warning] = await warned;
  assert.match(warning.message, /other\.ign\.idx: .*another archive/);
});

test('what names no archive and what is no text is refused', () => {
  assert.throws(() => open(), /no archive is named/);
  assert.throws(() => open(5), TypeError);
  assert.throws(() => open('ftp://a.example/club.ign'), /start with http/);
  assert.throws(() => open(folder), /is a directory/);
  writeFileSync(join(folder, 'club.pgn'), game('Ann', '1-0'));
  assert.throws(() => open(join(folder, 'club.pgn')), /^Error: club\.pgn: not an ign archive/);
  for (const wrong of [5, null, undefined, {}]) assert.throws(() => pack(wrong), /a string or a Uint8Array/);
});
