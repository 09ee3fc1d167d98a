/** A file of games that is dropped on the page: the viewer, where games leave the archive, and a repertoire. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { split } from '../src/dropped/pgn.ts';
import type { Explored } from '../src/types.ts';
import { boardFen, downloaded, dropFile, openVisits, playMove, SERVER, settled } from './browser.ts';

const visit = openVisits();

const FIRST = `[Event "Own"]
[White "Drop, Ann"]
[Black "Drop, Ben"]
[WhiteElo "1500"]
[Date "2024.05.06"]
[Result "1-0"]
[UTCDate "2024.05.06"]

1. e4 {[%eval 0.3] [%clk 0:05:00] King's pawn} e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 Nc6 3. Na3 $6 h5 4. h4 1-0
`;

const SECOND = `[White "Drop, "Cy""]
[Black "\u202eDee"]
[Result "*"]

{A comment
[with a line like a tag "x"]
} 1. d4 d5 2. Qd3 Qd6 3. Qxh7 Qxh2 *
`;

const ILLEGAL = `[White "Drop, Eve"]
[Black "Drop, Flo"]
[Result "0-1"]

1. e4 e5 2. Ke3 d5 0-1
`;

/** Games of the archives through a position, which have a result. */
async function known(ucis: readonly string[]): Promise<number> {
  const play = ucis.length > 0 ? `&play=${ucis.join()}` : '';
  const answer = await fetch(`${SERVER}/lichess?moves=0&topGames=0&recentGames=0${play}`);
  const { white, draws, black } = (await answer.json()) as Explored;
  return white + draws + black;
}

/** The first of these moves after which the archives have no game. */
async function leaves(ucis: readonly string[]): Promise<number> {
  for (let ply = 1; ply <= ucis.length; ply += 1) if ((await known(ucis.slice(0, ply))) === 0) return ply;
  return 0;
}

const listed = async (page: Page): Promise<string[]> => {
  await page.waitForFunction(() => document.querySelector('.leaves[aria-busy]') === null);
  return page.$$eval('.dropped-table tbody tr', (rows) => rows.map((row) => row.textContent ?? ''));
};

test('games of a file are listed with the move by which each leaves the archive', () =>
  visit('', async (page) => {
    await dropFile(page, 'own.pgn', [FIRST, SECOND, ILLEGAL].join('\n'));
    await page.waitForSelector('.dropped-table');
    assert.equal(new URL(page.url()).search, '?view=dropped');
    assert.equal(await page.innerText('.dropped h1'), 'own3 games');
    const rows = await listed(page);
    assert.equal(rows.length, 3);
    const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'b1a3', 'h7h5', 'h2h4'];
    const words = ['1. e4', '1… e5', '2. Nf3', '2… Nc6', '3. Na3', '3… h5', '4. h4'];
    const ply = await leaves(moves);
    assert(ply > 0);
    const before = await known(moves.slice(0, ply - 1));
    const expected = `${words[ply - 1]}, after ${before} ${before === 1 ? 'game' : 'games'}`;
    assert(rows[0]?.replaceAll(',', '').includes(expected.replaceAll(',', '')), `${rows[0]}; ${expected}`);
    assert.match(rows[1] ?? '', /Drop, "Cy".*Dee.*, after/);
    // The legal moves before an illegal one.
    assert.match(rows[2] ?? '', /stays: [\d,]+ games with its last position/);
  }));

test('a game of a file is shown with comments, variations, and a mark where it leaves the archive', () =>
  visit('', async (page) => {
    await dropFile(page, 'own.pgn', [FIRST, SECOND, ILLEGAL].join('\n'));
    await page.click('.dropped-table a.open');
    await page.waitForSelector('.leaving:not(:empty)');
    assert.equal(new URL(page.url()).search, '?view=dropped&game=1');
    const text = (await page.innerText('.move-list')).replace(/\s+/g, ' ');
    assert.match(
      text,
      /^1\. e4 King's pawn 1… e5 \(1… c5 2\. Nf3 \(2\. c3 d5\) 2… d6\) 2\. Nf3 Nc6 3\. Na3\?! /,
    );
    assert.match(await page.innerText('.leaving'), /^Leaves the archive: \d\S* \S+, after [\d,]+ games?$/);
    assert.equal(await page.locator('.move-list a.leaves').count(), 1);
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('.value-bar', 'aria-label'), 'Evaluation +0.30');
    assert.match((await page.locator('.player').allInnerTexts()).join(' '), /Drop, Ann.*1500.*5:00/s);
    await page.keyboard.press('ArrowDown');
    assert.match(await page.innerText('.move-list [aria-current]'), /1… c5/);
    await playMove(page, 'b1', 'c3');
    assert.match(await page.innerText('.tried'), /Tried: 2\. Nc3/);
    const pgn = await downloaded(page, '.game-panel .download');
    assert.equal(pgn, FIRST.trim());
    await page.keyboard.press('j');
    assert.equal(new URL(page.url()).search, '?view=dropped&game=2');
    assert.match(await page.innerText('h1'), /Drop, "Cy"/);
    await page.keyboard.press('j');
    await page.waitForSelector('.kept .pgn:has-text("2. Ke3")');
    await page.keyboard.press('Backspace');
    await page.waitForSelector('.dropped-table');
    await page.goBack();
    await page.click('a:text-is("Explore this position")');
    await settled(page);
    assert.equal(new URL(page.url()).search, '');
  }));

test('a file with one game opens in the viewer; after a reload the page says that the file is gone', () =>
  visit('', async (page) => {
    await dropFile(page, 'one.pgn', FIRST);
    await page.waitForSelector('.move-list');
    assert.equal(new URL(page.url()).search, '?view=dropped&game=1');
    await page.keyboard.press('End');
    assert.match(await boardFen(page), /^r1bqkbnr\/pppp1pp1\/2n5\/4p2p/);
    await page.reload();
    await page.waitForSelector('.message');
    assert.match(await page.innerText('.message'), /The file of this game is not open\. Drop it/);
    await page.click('.game-panel a:has-text("Games of the file")');
    assert.match(await page.innerText('.dropped .message'), /No file is open/);
  }));

test('moves of the archive that a repertoire does not answer are listed by their games', () =>
  visit('', async (page) => {
    const repertoire = '[White "Rep"]\n[Result "*"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *\n';
    await dropFile(page, 'rep.pgn', repertoire);
    await page.waitForSelector('.move-list');
    await page.keyboard.press('Backspace');
    await page.click('button:text-is("For White")');
    await page.waitForSelector('.gaps li');
    const gaps = await page.locator('.gaps li a').allInnerTexts();
    assert(gaps.includes('1. e4 e6'), gaps.join('; '));
    assert(gaps.some((line) => line.startsWith('1. e4 e5 2. Nf3 ')));
    assert(!gaps.includes('1. e4 e5') && !gaps.includes('1. e4 c5'));
    const games = await page.$$eval('.gaps .quiet', (all) =>
      all.map((one) => Number.parseInt((one.textContent ?? '').replaceAll(',', ''), 10)),
    );
    assert.deepEqual(
      games,
      [...games].sort((a, b) => b - a),
    );
    assert.equal(games[gaps.indexOf('1. e4 e6')], await known(['e2e4', 'e7e6']));
    await page.click('button:text-is("For Black")');
    await page.waitForSelector('.gaps a:text-is("1. d4")');
    await page.click('.gaps a:text-is("1. d4")');
    await settled(page);
    assert.equal(new URL(page.url()).search, '?play=d2d4&flip=1');
  }));

test('where files can be dropped is shown, and a dropped file is closed again', () =>
  visit('', async (page) => {
    assert.match(await page.innerText('footer'), /\.pgn.*\.ign.*dropped/);
    await page.click('header button:has-text("Open")');
    assert.match(await page.innerText('.drop-zone'), /Drop files here/);
    await page.keyboard.press('Escape');
    const dataTransfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'x.pgn'));
      return transfer;
    });
    assert(await page.isHidden('.drop-target'));
    await page.dispatchEvent('main', 'dragover', { dataTransfer });
    assert.match(await page.innerText('.drop-target'), /Drop games \(\.pgn\) or archives \(\.ign\) here/);
    await page.dispatchEvent('main', 'dragleave', { dataTransfer });
    assert(await page.isHidden('.drop-target'));
    await dropFile(page, 'own.pgn', [FIRST, SECOND].join('\n'));
    await page.waitForSelector('.dropped-table');
    await page.click('.dropped a:text-is("Back to the explorer")');
    await settled(page);
    assert.equal(new URL(page.url()).search, '');
    await page.goBack();
    await page.click('.dropped button:text-is("Close the file")');
    await settled(page);
    assert.equal(new URL(page.url()).search, '');
    await page.goBack();
    assert.match(await page.innerText('.dropped .message'), /No file is open/);
  }));

test('a brace in a line comment or an escaped line begins no comment', () => {
  const game = '[White "A"]\n\n1. e4 ; see { here\n% and { there\ne5 {a ; comment\nof two lines} *\n\n';
  const parts = split(game.repeat(3));
  assert.equal(parts.length, 3);
});

test('ten megabytes of games open at once, and nonsense is no game', () =>
  visit('', async (page) => {
    const many = `${FIRST}\n`.repeat(Math.ceil(10e6 / FIRST.length));
    const start = performance.now();
    await dropFile(page, 'many.pgn', many);
    await page.waitForSelector('.dropped-table');
    const time = performance.now() - start;
    assert(time < 10_000, `${time} ms`);
    await listed(page);
    await page.click('.dropped .pages button:text-is("Next")');
    assert.match(await page.innerText('.dropped .pages'), /21–40 of/);
    await dropFile(page, 'empty.pgn', '\n\n');
    await page.waitForSelector('.dropped .message:has-text("The file has no games")');
    await dropFile(
      page,
      'bad.pgn',
      '<script>alert(1)</script>{[[[(((\n[White "<b>x</b>"]\n1. e9 zz $$$ ((( *\n',
    );
    await page.waitForSelector('.dropped-table, .move-list, .kept');
    assert.equal(await page.locator('main b, main script').count(), 0);
  }));
