/** The list of games and the table of moves: their order, rows that open games, pages, and games chosen for a download. */

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
    cells.map((cell) => cell.querySelector('bdi:not(.title *)')?.textContent ?? ''),
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
    await page.selectOption('.games select', 'highest mean rating first');
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

test('a click anywhere on a row opens its game', () =>
  visit(
    '?source=sample',
    async (page) => {
      for (const cell of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const row = page.locator('.game-table tbody tr').nth(cell);
        assert.equal(await row.locator('a').count(), 1);
        const number = await row.getAttribute('data-game');
        await row.locator(`:scope > :nth-child(${cell + 1})`).click();
        await page.waitForSelector('.move-list');
        assert.equal(new URL(page.url()).searchParams.get('game'), number);
        await page.goBack();
        await settled(page);
      }
    },
    { viewport: { width: 1500, height: 900 } },
  ));

test('players, day, opening and event of a game lead to the games that have the same', () =>
  visit('?source=sample&speed=blitz', async (page) => {
    await page.click('.game-table a.open');
    await page.waitForSelector('.move-list');
    const game = page.url();
    for (const [place, name] of [
      [0, 'player'],
      [1, 'player'],
      [2, 'date'],
      [3, 'eco'],
      [4, 'event'],
    ] as const) {
      const chip = page.locator('.narrowing a').nth(place);
      const value = await chip.innerText();
      assert.match((await chip.getAttribute('aria-label')) ?? '', /^Only games .*/);
      await chip.click();
      await settled(page);
      const { searchParams } = new URL(page.url());
      assert.deepEqual([searchParams.get(name), searchParams.get('speed')], [value, 'blitz']);
      const listed = (await page.innerText('.games header p')).split(' of ')[1];
      // The archive "sample" has almost all games of those that are served.
      assert(Number(listed?.replaceAll(',', '')) <= countGames(`--${name}`, value, '--speed', 'blitz'));
      assert.notEqual(listed, undefined);
      await page.goto(game);
      await page.waitForSelector('.move-list');
    }
  }));

test('the heads of the list sort it, and say how it is sorted', () =>
  visit(
    '',
    async (page) => {
      const head = (title: string) => page.locator(`.game-table thead th:has(a:text-is("${title}"))`);
      for (const [title, place, first] of [
        ['White', 1, 'white'],
        ['Plies', 7, 'plies:desc'],
        ['Date', 4, 'date:desc'],
        ['Event', 8, 'event'],
      ] as const) {
        await head(title).locator('a').click();
        await settled(page);
        assert.equal(new URL(page.url()).searchParams.get('sort'), first);
        const [way, other] = first.endsWith(':desc')
          ? ['descending', 'ascending']
          : ['ascending', 'descending'];
        assert.equal(await head(title).getAttribute('aria-sort'), way);
        assert.equal(await page.locator('.game-table th[aria-sort]').count(), 1);
        if (title === 'White') {
          const names = await whites(page);
          assert.deepEqual(names, [...names].sort());
        }
        const before = (await column(page, place))[0];
        await head(title).locator('a').click();
        await settled(page);
        assert.notEqual((await column(page, place))[0], before);
        assert.equal(await head(title).getAttribute('aria-sort'), other);
        await head(title).locator('a').click();
        await settled(page);
        assert.equal(new URL(page.url()).search, '');
        assert.equal(await page.locator('.game-table th[aria-sort]').count(), 0);
      }
    },
    { viewport: { width: 1500, height: 900 } },
  ));

test('sorted by score, moves of few games follow the others in both directions', () =>
  visit('?play=e2e4,e7e5', async (page) => {
    const head = page.locator('.moves thead th.bar a');
    assert.match(
      (await head.getAttribute('title')) ?? '',
      /score of White; moves of fewer than 10 games follow/,
    );
    for (const order of ['score', '-score']) {
      await head.click();
      assert.equal(new URL(page.url()).searchParams.get('order'), order);
      const games = await page.$$eval('table.moves tbody tr td:nth-child(2)', (cells) =>
        cells.map((cell) => Number((cell.textContent ?? '').replaceAll(',', ''))),
      );
      const few = games.map((n) => n < 10);
      assert(few.includes(true) && few.includes(false));
      assert.deepEqual(few, [...few].sort());
      const rare = games.filter((n) => n < 10);
      assert.deepEqual(
        rare,
        [...rare].sort((a, b) => b - a),
      );
    }
  }));

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
    /** The known values of moves of ten games or more, which are ahead of the others. */
    const frequent = async (number: number): Promise<number[]> => {
      const [games, values] = [await cells(1), await cells(number)];
      return values.filter((value, i) => !Number.isNaN(value) && (games[i] ?? 0) >= 10);
    };
    const first = await sans();
    for (const [title, number] of [
      ['Mean rating', 4],
      ['Perf.', 5],
    ] as const) {
      await page.click(`.moves thead a:text-is("${title}")`);
      const known = await frequent(number);
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
      const least = await frequent(number);
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
    await page.click('summary:text-is("Results by mean rating")');
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
