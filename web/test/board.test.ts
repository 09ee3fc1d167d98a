/** The board: its size, the wheel, moves that play by themselves, settings, tabs on a phone; lines that are kept. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Explored } from '../src/types.ts';
import { BASE, boardFen, downloaded, grouped, openVisits, playMove, SERVER, settled } from './browser.ts';

const visit = openVisits();

const search = (page: Page): string => new URL(page.url()).search;
const width = (page: Page): Promise<number> => page.$eval('.board', (board) => board.clientWidth);

test('a handle sizes the board, by pointer and by keys, and the size is kept', () =>
  visit('?play=e2e4', async (page) => {
    const before = await width(page);
    const handle = await page.locator('.board-handle').boundingBox();
    assert(handle);
    const [x, y] = [handle.x + handle.width / 2, handle.y + 100];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 120, y, { steps: 4 });
    await page.mouse.up();
    const after = await width(page);
    assert(after < before - 90 && after > before - 150, `${before} to ${after}`);
    assert.equal(after % 8, 0);
    await page.reload();
    await settled(page);
    assert.equal(await width(page), after);
    await page.focus('.board-handle');
    await page.keyboard.press('ArrowRight');
    assert.equal(await width(page), after + 32);
    assert.equal(search(page), '?play=e2e4');
    await page.dblclick('.board-handle');
    assert.equal(await width(page), before);
    await page.goto(`${BASE}/?game=3001`);
    await page.waitForSelector('.move-list');
    assert.equal((await width(page)) % 8, 0);
  }));

test('the wheel over the board goes through the moves, unless the settings say otherwise', () =>
  visit('?play=e2e4,e7e5,g1f3&at=0', async (page) => {
    const box = await page.locator('.board').boundingBox();
    assert(box);
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.wheel(0, 100);
    await page.waitForURL((url) => url.searchParams.get('at') === '1');
    await page.waitForTimeout(100);
    await page.mouse.wheel(0, 100);
    await page.waitForURL((url) => url.searchParams.get('at') === '2');
    await page.waitForTimeout(100);
    await page.mouse.wheel(0, -100);
    await page.waitForURL((url) => url.searchParams.get('at') === '1');
    await page.keyboard.press(',');
    await page.click('label:has-text("Scrolls the page")');
    await page.keyboard.press('Escape');
    await page.mouse.wheel(0, 100);
    await page.waitForTimeout(200);
    assert.equal(new URL(page.url()).searchParams.get('at'), '1');
  }));

test('moves play by themselves until the line ends or they are stopped', () =>
  visit('?play=e2e4,e7e5,g1f3&at=0', async (page) => {
    await page.keyboard.press('a');
    await page.waitForSelector('button[title^="Play the moves"][aria-pressed="true"]');
    await page.waitForURL((url) => !url.searchParams.has('at'));
    await page.waitForSelector('button[title^="Play the moves"][aria-pressed="false"]');
    await page.keyboard.press('Home');
    await page.click('button[title^="Play the moves"]');
    await page.waitForURL((url) => url.searchParams.get('at') === '1');
    await page.click('button[title^="Play the moves"]');
    await page.waitForTimeout(1500);
    assert.equal(new URL(page.url()).searchParams.get('at'), '1');
  }));

test('the colours of the board are chosen and kept', () =>
  visit('', async (page) => {
    const colour = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--board-dark'));
    const green = await colour();
    await page.click('button[title^="Settings"]');
    await page.click('label:has-text("Brown")');
    const brown = await colour();
    assert.notEqual(brown, green);
    await page.keyboard.press('Escape');
    await page.reload();
    await settled(page);
    assert.equal(await colour(), brown);
    await page.keyboard.press(',');
    assert(await page.isChecked('label:has-text("Brown") input'));
  }));

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

test('on a phone the board stays in sight, and moves and games are tabs', () =>
  visit(
    '?play=e2e4',
    async (page) => {
      assert(await page.isVisible('table.moves'));
      assert(await page.isHidden('.games'));
      const games = page.locator('.list-tabs button').nth(1);
      assert.match(await games.innerText(), /^Games · [\d,]+$/);
      await games.tap();
      assert(await page.isHidden('table.moves'));
      assert(await page.isVisible('.game-table'));
      await page.locator('.game-table a.open').nth(20).scrollIntoViewIfNeeded();
      const box = await page.locator('.board').boundingBox();
      assert(box && box.y >= 0 && box.y + box.height < 740, JSON.stringify(box));
      await page.locator('.list-tabs button').first().tap();
      await page.tap('table.moves a.move:text-is("e5")');
      await settled(page);
      assert.equal(search(page), '?play=e2e4,e7e5');
    },
    PHONE,
  ));

test('on a phone the conditions are one row until they are asked for', () =>
  visit(
    '?speed=blitz',
    async (page) => {
      const height = (): Promise<number> =>
        page.$eval('.common', (bar) => bar.getBoundingClientRect().height);
      assert((await height()) < 60);
      assert(await page.isVisible('#common-player'));
      const button = page.locator('.unfold');
      assert.match(await button.innerText(), /Conditions \(1\)/);
      assert.equal(await button.getAttribute('aria-expanded'), 'false');
      await button.tap();
      assert.equal(await button.getAttribute('aria-expanded'), 'true');
      assert((await height()) > 150);
      await page.locator('.common').getByLabel('Endgame').last().selectOption('Rook ending');
      await settled(page);
      assert.match(await button.innerText(), /Conditions \(2\)/);
      await button.tap();
      assert((await height()) < 60);
    },
    PHONE,
  ));

for (const query of [
  '?play=e2e4',
  '?game=3001&node=4',
  '?view=dropped',
  '?view=player&player=A*',
  '?view=player&player=A%2C',
  '?view=statistics',
])
  test(`controls are at least 44 pixels high for fingers: ${query}`, () =>
    visit(
      query,
      async (page) => {
        await page.waitForSelector('main button:visible, main .message, main .card');
        await settled(page);
        const targets =
          'button, select, summary, a:not(.move-list a, .game-table a, footer a, .skip), .game-table tr, .check, input[type=text]';
        const small = await page.$$eval(targets, (all) =>
          all
            .filter((one) => (one as HTMLElement).offsetParent !== null)
            .map((one) => [one.textContent || one.getAttribute('title'), one.getBoundingClientRect().height])
            .filter(([, height]) => Number(height) < 44),
        );
        assert.deepEqual(small, []);
      },
      PHONE,
    ));

test('lines are kept as variations, copied as PGN, and forgotten', () =>
  visit(
    '?play=e2e4,e7e5,g1f3',
    async (page) => {
      await page.click('button:text-is("Keep line")');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await playMove(page, 'c7', 'c5');
      assert.equal(search(page), '?play=e2e4,c7c5&kept=e2e4,e7e5,g1f3');
      const text = async (): Promise<string> => (await page.innerText('.kept-lines')).replace(/\s+/g, ' ');
      assert.equal(await text(), '1. e4 e5 (1… c5) 2. Nf3');
      assert.equal(await page.innerText('.kept-lines [aria-current]'), '1… c5');
      const pgn = '[Event "?"]\n[Result "*"]\n\n1. e4 e5 (1... c5) 2. Nf3 *\n';
      assert.equal(await downloaded(page, '.line-view .download'), pgn);
      // An answer that arrives takes the place of the notice.
      await settled(page);
      await page.click('button:text-is("Copy PGN")');
      await page.waitForSelector('.notice:text-is("PGN copied")');
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), pgn);
      await page.click('button:text-is("Keep line")');
      assert.equal(search(page), '?play=e2e4,c7c5&kept=e2e4,e7e5,g1f3%3Be2e4,c7c5');
      await page.click('.kept-lines a:has-text("Nf3")');
      await settled(page);
      assert.match(await boardFen(page), /^rnbqkbnr\/pppp1ppp\/8\/4p3\/4P3\/5N2/);
      await page.click('button:text-is("Forget line")');
      assert.equal(new URL(page.url()).searchParams.get('kept'), 'e2e4,c7c5');
      await page.goBack();
      assert.match(await text(), /Nf3/);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

test('moves whose position is also reached by others are marked', () =>
  visit('?play=d2d4,d7d5', async (page) => {
    const more = page.locator('button:text-is("Mark transpositions")');
    if ((await more.count()) > 0) await more.click();
    const total = async (play: string): Promise<{ all: number; moves: Map<string, number> }> => {
      const answer = (await (await fetch(`${SERVER}/lichess?moves=250&play=${play}`)).json()) as Explored;
      const sum = (x: { white: number; draws: number; black: number }): number => x.white + x.draws + x.black;
      return { all: sum(answer), moves: new Map(answer.moves.map((move) => [move.uci, sum(move)])) };
    };
    const { moves } = await total('d2d4,d7d5');
    const expected: string[] = [];
    for (const [uci, games] of [...moves].slice(0, 14)) {
      const { all } = await total(`d2d4,d7d5,${uci}`);
      if (all > games) expected.push(`${uci}: in ${grouped(all)} games`);
    }
    assert(expected.length > 0);
    await page.waitForFunction(
      (marks) => document.querySelectorAll('.transposes').length === marks,
      expected.length,
    );
    const marked = await page.$$eval('.transposes', (all) =>
      all.map((one) => [
        one.previousElementSibling?.getAttribute('data-uci'),
        one
          .getAttribute('title')
          ?.match(/is in [\d,]+ games/)?.[0]
          .slice(3),
      ]),
    );
    assert.deepEqual(
      marked.map(([uci, words]) => `${uci}: ${words}`),
      expected,
    );
  }));

test('a small board shows how a game of the list ended', () =>
  visit('?source=annotated', async (page) => {
    const row = page.locator('.game-table tr:has-text("Example, Ada")').first();
    await row.hover();
    await page.waitForSelector('.preview .small-board span');
    const shown = await page.locator('.preview .small-board span').count();
    await page.mouse.move(5, 5);
    await page.waitForSelector('.preview', { state: 'detached' });
    await row.locator('a.open').focus();
    await page.waitForSelector('.preview .small-board');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.move-list');
    assert.equal(await page.locator('.preview').count(), 0);
    await page.keyboard.press('End');
    const fen = await boardFen(page);
    assert.equal(shown, (fen.split(' ')[0] ?? '').replace(/[^a-z]/gi, '').length);
  }));
