/** The list of games: its order, its links to conditions, its pages, and the games that are chosen for a download. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { countGames, downloaded, grouped, ign, openVisits, settled } from './browser.ts';

const visit = openVisits();

/** The texts of the cells of a column. */
const column = (page: Page, number: number): Promise<string[]> =>
  page.$$eval(
    '.game-table tbody tr',
    (rows, number) => rows.map((row) => row.children[number]?.textContent ?? ''),
    number,
  );

const whites = (page: Page): Promise<string[]> =>
  page.$$eval('.game-table tbody th', (cells) =>
    cells.map((cell) => cell.querySelector('a')?.textContent ?? ''),
  );

test('the list is sorted as by ign find', async () => {
  const names = (sort: string): string[] =>
    ign('find', '--limit', '50', '--list', '--json', '--sort', sort)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { white?: string }).white ?? '');
  await visit('', async (page) => {
    await page.selectOption('.games select', 'longest first');
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get('sort'), 'plies:desc');
    const [longest = 0, next = 0] = (await column(page, 7)).map(Number);
    assert(longest >= next && next > 100);
    assert.deepEqual(await whites(page), names('plies:desc'));
    await page.selectOption('.games select', 'shortest first');
    await settled(page);
    assert.deepEqual(await whites(page), names('plies'));
    await page.reload();
    await settled(page);
    assert.equal(await page.inputValue('.games select'), 'plies');
    await page.selectOption('.games select', 'highest ratings first');
    await settled(page);
    const ratings = (await column(page, 1)).map((text) => Number(/(\d+)$/.exec(text)?.[1]));
    const others = (await column(page, 2)).map((text) => Number(/(\d+)$/.exec(text)?.[1]));
    const sums = ratings.map((rating, i) => rating + (others[i] ?? 0));
    assert.deepEqual(
      sums,
      [...sums].sort((a, b) => b - a),
    );
  });
});

test('names, dates, codes and events of the list become conditions', async () => {
  for (const [cell, name] of [
    [1, 'player'],
    [2, 'player'],
    [4, 'date'],
    [6, 'eco'],
    [8, 'event'],
  ] as const)
    await visit(
      '?source=sample',
      async (page) => {
        const found = page
          .locator('.game-table tbody tr')
          .first()
          .locator(`:scope > :nth-child(${cell + 1}) a`);
        const value = (await found.textContent()) ?? '';
        await found.click();
        await settled(page);
        assert.equal(new URL(page.url()).searchParams.get(name), value);
        const listed = (await page.innerText('.games header p')).split(' of ')[1];
        // The archive "sample" has almost all games of those that are served.
        assert.equal(Number(listed?.replaceAll(',', '')) <= countGames(`--${name}`, value), true);
        assert.notEqual(listed, undefined);
      },
      { viewport: { width: 1500, height: 900 } },
    );
});

test('a page is chosen by its number', () =>
  visit('', async (page) => {
    const pages = Math.ceil(countGames() / 50);
    assert.match(await page.innerText('.jump'), new RegExp(`of ${pages}`));
    for (const [typed, first] of [
      ['3', 101],
      ['9999', (pages - 1) * 50 + 1],
      ['x', 1],
    ] as const) {
      await page.fill('.jump input', typed);
      await page.press('.jump input', 'Enter');
      await settled(page);
      assert.match(await page.innerText('.games header p'), new RegExp(`^${grouped(first)}–`));
    }
  }));

test('chosen games are downloaded, from several pages', () =>
  visit('', async (page) => {
    const boxes = page.locator('.game-table .choose input');
    await boxes.nth(4).check();
    await page.click('a.page:text-is("Next")');
    await settled(page);
    await boxes.nth(0).check();
    assert.match(await page.innerText('.games .download'), /PGN of 2 chosen/);
    const text = await downloaded(page, '.games .download');
    assert.equal(text, `${ign('get', '5')}${ign('get', '51')}`);
    await page.goBack();
    await settled(page);
    assert(await boxes.nth(4).isChecked());
    await page.click('button:text-is("Choose none")');
    assert(!(await boxes.nth(4).isChecked()));
    assert.equal(await page.innerText('.games .download'), 'PGN');
  }));

test('moves are sorted by every column, and results by rating and year lead to their games', () =>
  visit('', async (page) => {
    const sans = (): Promise<string[]> =>
      page.$$eval('table.moves a.move', (all) => all.map((a) => a.textContent ?? ''));
    const cells = (number: number): Promise<number[]> =>
      page.$$eval(
        'table.moves tbody tr',
        (rows, number) => rows.map((row) => Number(row.children[number]?.textContent?.replaceAll(',', ''))),
        number,
      );
    const first = await sans();
    for (const [title, number] of [
      ['Rating', 4],
      ['Perf.', 5],
    ] as const) {
      await page.click(`.moves thead a:text-is("${title}")`);
      const known = (await cells(number)).filter((n) => !Number.isNaN(n));
      assert.deepEqual(
        known,
        [...known].sort((a, b) => b - a),
        title,
      );
      assert.equal(
        await page.locator('.moves th[aria-sort="descending"]').innerText(),
        `${title} ▾`.replace(' ▾', ''),
      );
      await page.click(`.moves thead a:text-is("${title}")`);
      const least = (await cells(number)).filter((n) => !Number.isNaN(n));
      assert.deepEqual(
        least,
        [...least].sort((a, b) => a - b),
        title,
      );
    }
    assert.equal(new URL(page.url()).search, '?order=-performance');
    await page.click('.moves thead a:text-is("Games")');
    assert.deepEqual(await sans(), first);
    assert.equal(new URL(page.url()).search, '');
    await page.click('summary:text-is("Results by rating")');
    await page.waitForSelector('.part-details table');
    const row = page.locator('.part-details table tr').first();
    const label = (await row.locator('a').innerText()).replace('–', '..');
    const counted = await row.locator('.number').innerText();
    await row.locator('a').click();
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get('mean_elo'), label);
    const results = ['--result', '1-0,0-1,1/2-1/2'];
    assert.equal(counted, grouped(countGames('--mean-elo', label, ...results)));
  }));

test('thinking times and evaluations are those of the games', () =>
  visit('?source=annotated&play=e2e4,e7e5,g1f3,b8c6', async (page) => {
    await page.click('summary:text-is("Thinking time, evaluation, blunders")');
    await page.waitForSelector('.annotated');
    const text = (await page.innerText('.annotated')).replace(/\s+/g, ' ');
    assert.match(text, /Move Games Time Evaluation Blunders Bc4 1 /);
    assert.match(await page.innerText('.part-details p'), /Read in all \d games?\./);
  }));
