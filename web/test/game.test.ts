/** The game viewer in a browser. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertMoves, boardFen, downloaded, openVisits, playMove, settled } from './browser.ts';

const visit = openVisits();

const current = (page: Page): Promise<string> => page.innerText('.move-list [aria-current]');

/** The address of the annotated game. */
async function openAnnotated(page: Page): Promise<void> {
  await page.click('.game-table tr:has-text("Example, Ada") a.open');
  await page.waitForSelector('.move-list');
}

test('a game opens from the list, at the position of the search', () =>
  visit('?source=annotated&play=e2e4,e7e5,g1f3', async (page) => {
    await openAnnotated(page);
    assert.equal(await current(page), '2. Nf3');
    assert.match(await boardFen(page), /5N2\/PPPP1PPP\/RNBQKB1R b/);
    await page.goBack();
    await settled(page);
    assert.equal(new URL(page.url()).search, '?source=annotated&play=e2e4,e7e5,g1f3');
  }));

test('keys step through a game and into its variations', () =>
  visit('?source=annotated', async (page) => {
    await openAnnotated(page);
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    assert.equal(await current(page), '3. Bc4');
    await page.keyboard.press('ArrowDown');
    assert.match(await current(page), /3… Nf6/);
    await page.keyboard.press('ArrowRight');
    assert.match(await current(page), /4\. Ng5/);
    await page.keyboard.press('End');
    assert.match(await current(page), /Na5/);
    await page.keyboard.press('ArrowUp');
    assert.match(await current(page), /Bc5/);
    await page.keyboard.press('End');
    assert.match(await current(page), /15\. Re1/);
    await page.keyboard.press('Home');
    assert.equal(await page.locator('.move-list [aria-current]').count(), 0);
    await page.keyboard.press('f');
    assert.equal(await page.locator('.orientation-black').count(), 1);
  }));

test('comments, symbols, clocks and nested variations are shown as text', () =>
  visit('?source=annotated', async (page) => {
    await openAnnotated(page);
    const text = (await page.innerText('.move-list')).replace(/\s+/g, ' ');
    assert.match(text, /Written for the tests of the page\./);
    assert.match(text, /4\. b4!\? The Evans Gambit\./);
    assert.match(
      text,
      /\(3… Nf6 The Two Knights Defense\. 4\. Ng5 d5 \(4… Bc5\?! The Traxler\. 5\. Bxf7\+ Ke7\) 5\. exd5 Na5\)/,
    );
    assert.match(text, /11\. Qb3\? Nde7\?\? Black could defend with Bb6\./);
    await page.keyboard.press('End');
    const players = await page.locator('.player').allInnerTexts();
    assert.match(players[0]?.replace(/\s+/g, ' ') ?? '', /Sample, Ben 2051 0:21 used 0:09\.5/);
    assert.match(players[1]?.replace(/\s+/g, ' ') ?? '', /WFM Example, Ada 2104( \d:\d\d used)? 5:01/);
  }));

test('tags with markup are shown as text', () =>
  visit('?game=3002', async (page) => {
    assert.match(await page.innerText('.game-panel'), /Club <b>evening<\/b>/);
    assert.equal(await page.locator('.game-panel b').count(), 0);
  }));

test('curves follow the moves and lead to them', () =>
  visit('?source=annotated', async (page) => {
    await openAnnotated(page);
    assert.deepEqual(await page.locator('.curve figcaption').allInnerTexts(), [
      'Evaluation',
      'Clocks: White dashed, Black solid',
    ]);
    const plies = 29;
    const box = await page.locator('.curve.evaluation svg').boundingBox();
    assert(box);
    await page.mouse.click(box.x + (box.width * 22) / plies, box.y + 20);
    assert.match(await current(page), /Nde7/);
    assert.match(await page.innerText('.curve.evaluation'), /\+3\.10/);
    await page.keyboard.press('ArrowRight');
    assert.match(await page.innerText('.curve.evaluation'), /\+3\.20/);
  }));

test('a position of a game is explored with its moves', () =>
  visit('?source=annotated', async (page) => {
    await openAnnotated(page);
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
    await page.click('a:text-is("Explore this position")');
    await settled(page);
    assert.match(page.url(), /play=e2e4,e7e5,g1f3,b8c6/);
    await page.selectOption('header select', '');
    await assertMoves(page, '--opening', '1. e4 e5 2. Nf3 Nc6');
  }));

test('the conditions of the search hold for a position of a game', () =>
  visit('?source=annotated&white=Example*', async (page) => {
    await openAnnotated(page);
    await page.keyboard.press('ArrowRight');
    await page.click('a:text-is("Explore this position")');
    await settled(page);
    assert.equal(new URL(page.url()).search, '?source=annotated&play=e2e4&white=Example*');
    assert.match(await page.innerText('.games header'), /of \d/);
  }));

test('the PGN of a game is the text that was packed', () =>
  visit('?source=annotated', async (page) => {
    await openAnnotated(page);
    const text = await downloaded(page, '.game-panel .download');
    const archive = (process.env.IGN_ARCHIVES ?? '').split(':')[1] ?? '';
    const expected = execFileSync(process.env.IGN ?? '', ['get', archive, '1', '-q'], { encoding: 'utf8' });
    assert.equal(text.trim(), expected.trim());
  }));

test('a game that does not exist is reported', () =>
  visit(
    '?game=999999',
    async (page) => {
      assert.match(await page.innerText('.message'), /no such game/i);
    },
    { errors: /status of 404/ },
  ));

test('pieces are moved in a game to try a line, which is kept in the address', () =>
  visit('?source=annotated', async (page) => {
    await openAnnotated(page);
    await playMove(page, 'e2', 'e4');
    assert.equal(await current(page), '1. e4');
    await playMove(page, 'c7', 'c5');
    await playMove(page, 'g1', 'f3');
    assert.match(await page.innerText('.tried'), /Tried: 1\.\.\. c5 2\. Nf3/);
    assert.match(page.url(), /node=1&tried=c7c5,g1f3/);
    await page.reload();
    await page.waitForSelector('.tried:not(:empty)');
    assert.match(await boardFen(page), /^rnbqkbnr\/pp1ppppp\/8\/2p5\/4P3\/5N2/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await page.innerText('.tried'), /Tried: 1\.\.\. c5\s/);
    await page.click('a:text-is("Explore this position")');
    await settled(page);
    assert.match(page.url(), /play=e2e4,c7c5/);
    await page.goBack();
    await page.click('.tried a');
    assert.equal(await page.innerText('.tried'), '');
    assert.match(await boardFen(page), /^rnbqkbnr\/pppppppp\/8\/8\/4P3/);
  }));

test('the bar beside the board is the evaluation, and the time used is that between clocks', () =>
  visit('?source=annotated', async (page) => {
    await openAnnotated(page);
    assert(await page.isHidden('.value-bar'));
    for (let i = 0; i < 22; i++) await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('.value-bar', 'aria-label'), 'Evaluation +3.10');
    const height = await page.$eval('.value-bar span', (part) => (part as HTMLElement).style.height);
    assert(Number.parseFloat(height) > 70 && Number.parseFloat(height) < 80, height);
    assert.match((await page.locator('.player').allInnerTexts()).join(' '), /\d:\d\d used/);
    const width = await page.$eval('.board', (board) => board.clientWidth);
    assert.equal(width % 8, 0);
  }));

test('the next and the previous game are those of the list', () =>
  visit('?source=annotated', async (page) => {
    const players = await page.$$eval('.game-table tbody th', (all) =>
      all.map((cell) => cell.querySelector('bdi:not(.title *)')?.textContent),
    );
    await page.click('.game-table a.open');
    await page.waitForSelector('.move-list');
    for (const [key, at] of [
      ['j', 1],
      ['j', 2],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForFunction(
        (name) => document.querySelector('h1')?.textContent?.startsWith(name ?? '?'),
        players[at],
      );
    }
    await page.click('button[title^="Previous game"]');
    await settled(page);
    await page.keyboard.press('k');
    await page.waitForSelector('.notice:text-is("The list that was shown ends here")');
  }));

test('lines and positions are copied', () =>
  visit(
    '?play=e2e4,c7c5',
    async (page) => {
      const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
      await page.click('button:text-is("Copy PGN")');
      await page.waitForSelector('.notice:text-is("PGN copied")');
      const pgn = '[Event "?"]\n[Result "*"]\n\n1. e4 c5 *\n';
      assert.equal(await copied(), pgn);
      assert.equal(await downloaded(page, '.line-view .download'), pgn);
      await page.click('button:text-is("Copy FEN")');
      await page.waitForSelector('.notice:text-is("FEN copied")');
      assert.match(await copied(), /^rnbqkbnr\/pp1ppppp\/8\/2p5\/4P3\/8\/PPPP1PPP\/RNBQKBNR w KQkq - 0 2$/);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

test('the board fills the height of the window', async () => {
  for (const height of [700, 1000])
    await visit(
      '?play=e2e4',
      async (page) => {
        const box = await page.locator('.board').boundingBox();
        assert(box);
        // Below it are the controls and the fields.
        assert(box.height > height - 260 && box.y + box.height < height, `${box.height} of ${height}`);
      },
      { viewport: { width: 1900, height } },
    );
});
