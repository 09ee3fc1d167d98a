/** What a server does only if it was started so: games that are appended, and a local engine. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dropFile, grouped, NEEDS_SERVER, openVisits, playMove, settled } from './browser.ts';

const visit = openVisits();

const [SAMPLE = ''] = (process.env.IGN_ARCHIVES ?? '').split(':');
const skip = { skip: NEEDS_SERVER };

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ign-server-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test with a server of its own. */
async function served(options: string[], body: (base: string) => Promise<void>): Promise<void> {
  const archive = join(folder, 'own.ign');
  copyFileSync(SAMPLE, archive);
  copyFileSync(`${SAMPLE}.idx`, `${archive}.idx`);
  const server = spawn(process.env.IGN ?? 'ign', ['serve', archive, '--port', '0', '-q', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const address = await new Promise<string>((done, failed) => {
      server.on('exit', (status) => failed(new Error(`ign serve ended with status ${status}`)));
      server.stdout.on('data', (bytes) => done(String(bytes).trim()));
    });
    server.removeAllListeners('exit');
    await body(address);
  } finally {
    server.kill();
  }
}

/** An engine that always has the same opinion, and dies when a file is there. */
function madeUp(): string {
  const path = join(folder, 'engine');
  const lines = [
    '#!/bin/sh',
    'while read -r line; do case "$line" in',
    "uci) echo 'id name Made <b>up</b>'; echo uciok;;",
    'isready) echo readyok;;',
    `go*) if [ -e ${folder}/die ]; then exit 1; fi`,
    "echo 'info depth 9 multipv 1 score cp 35 nodes 1234 pv e2e4 e7e5 g1f3'",
    "echo 'info depth 9 multipv 2 score cp -20 nodes 1234 pv d2d4 zzzz'",
    'echo bestmove e2e4;;',
    'esac; done',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o755);
  return path;
}

const GAME = '[White "New, Ann"]\n[Black "New, Ben"]\n[Result "1-0"]\n\n1. a3 a6 2. h3 h6 1-0\n';

test('a dropped file is appended where the server permits it', skip, () =>
  served(['--allow-append'], (base) =>
    visit(
      '',
      async (page) => {
        const before = await page.innerText('.sources');
        await dropFile(page, 'new.pgn', GAME);
        await page.waitForSelector('.move-list');
        await page.keyboard.press('Backspace');
        await page.click('button:text-is("Append to")');
        await page.waitForSelector('.actions [role=status]:has-text("1 game appended to own")');
        await page.waitForFunction(
          (text) => document.querySelector('.sources')?.textContent !== text,
          before,
        );
        assert.match(await page.innerText('.sources'), new RegExp(`${grouped(3001)} games`));
        await page.keyboard.press('x');
        await settled(page);
        await page.goto(`${base}/?play=a2a3,a7a6,h2h3,h7h6`);
        await settled(page);
        assert.match(await page.innerText('.explorer h1'), /1 game /);
        await page.waitForSelector('.game-table tr:has-text("New, Ann")');
      },
      { base },
    ),
  ),
);

test('what a server does not permit is not offered', () =>
  visit('', async (page) => {
    assert.equal(await page.locator('button[title^="Engine"]').count(), 0);
    await page.keyboard.press('g');
    assert(await page.isHidden('.engine'));
    await dropFile(page, 'new.pgn', GAME);
    await page.waitForSelector('.move-list');
    await page.keyboard.press('Backspace');
    await page.waitForSelector('button:text-is("Pack into an archive")');
    assert.equal(await page.locator('button:text-is("Append to")').count(), 0);
  }));

test('the engine is off until it is turned on, and then follows the board', skip, () =>
  served(['--engine', madeUp()], (base) =>
    visit(
      '',
      async (page) => {
        assert(await page.isHidden('.engine'));
        await page.keyboard.press('g');
        await page.waitForSelector('.engine li');
        const text = (await page.innerText('.engine')).replace(/\s+/g, ' ');
        assert.equal(text, 'Made <b>up</b> · depth 9 · 1,234 positions +0.35 1. e4 e5 2. Nf3 -0.20 1. d4');
        assert.equal(await page.locator('.cg-shapes line').count(), 2);
        await page.click('.engine-line');
        await page.waitForURL((url) => url.search === '?play=e2e4');
        await page.goBack();
        await page.click('.game-table a.open');
        await page.waitForSelector('.game .engine li');
        assert.equal(await page.getAttribute('.value-bar:visible', 'aria-label'), 'Evaluation +0.35');
        await page.keyboard.press('f');
        assert.equal(await page.getAttribute('.value-bar:visible', 'aria-label'), 'Evaluation +0.35');
        await page.keyboard.press('f');
        await page.reload();
        await page.waitForSelector('.game .engine li');
        writeFileSync(join(folder, 'die'), '');
        await playMove(page, 'a2', 'a3');
        await page.waitForSelector('.engine [role=alert]:has-text("The engine has ended")');
        rmSync(join(folder, 'die'));
        await page.click('.engine button:text-is("Try again")');
        await page.waitForSelector('.engine .quiet');
        await page.click('button[title^="Engine"]:visible');
        assert(await page.isHidden('.engine'));
        assert.equal(await page.locator('.cg-shapes line').count(), 0);
      },
      { base, errors: /status of 503/ },
    ),
  ),
);

const STOCKFISH = ['/usr/games/stockfish', '/usr/bin/stockfish'].find((path) => existsSync(path));
const real = NEEDS_SERVER || (STOCKFISH === undefined && 'Stockfish is not installed');

test('Stockfish shows a mate', { skip: real }, () =>
  served(['--engine', STOCKFISH ?? ''], (base) =>
    visit(
      '?fen=6k1/5ppp/8/8/8/8/5PPP/3R2K1_w_-_-',
      async (page) => {
        await page.keyboard.press('g');
        await page.waitForSelector('.engine li:first-child:has-text("#1")');
        assert.match(await page.innerText('.engine li'), /#1\s+1\. Rd8#/);
        assert.match(await page.innerText('.engine p'), /^Stockfish/);
      },
      { base },
    ),
  ),
);

// No test: it is left out rather than skipped.
if (process.env.SCREENSHOTS === '1' && !real) {
  test('a picture of the engine for the documentation', () =>
    served(['--engine', STOCKFISH ?? ''], (base) =>
      visit(
        '?play=e2e4,e7e5,g1f3,b8c6,f1c4',
        async (page) => {
          await page.keyboard.press('g');
          await page.waitForSelector('.engine li');
          await page.waitForTimeout(5000);
          const path = join(process.env.IGN_WEB ?? '.', '../docs/images/engine.png');
          await page.screenshot({ path });
          spawnSync('pngquant', ['--force', '--strip', '--speed', '1', '--output', path, '256', path]);
        },
        { base, viewport: { width: 1280, height: 760 } },
      ),
    ));
}
