/** Two sets of conditions side by side. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVisits, settled, tree } from './browser.ts';

const visit = openVisits();

const share = (part: number, all: number): string => {
  const percent = (100 * part) / all;
  return all === 0 ? '–' : `${percent.toFixed(percent > 0 && percent < 9.95 ? 1 : 0)}%`;
};

test('moves are compared under two sets of conditions, and differences are marked', () =>
  visit('?result=1-0', async (page) => {
    await page.click('.comparison a');
    await settled(page);
    assert.match(await page.innerText('.comparison p'), /Compared with Result: 1-0/);
    await page.click('.chip');
    await settled(page);
    const result = page.locator('.common').getByLabel('Result').last();
    await result.selectOption('0–1');
    await settled(page);
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('result'), searchParams.get('with')], ['0-1', 'result=1-0']);
    const cells = await page.$$eval('.comparison tbody tr', (rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
    );
    const [here, there] = [tree('--result', '0-1'), tree('--result', '1-0')];
    const sum = (list: { white: number; draws: number; black: number }[]): number =>
      list.reduce((all, { white, draws, black }) => all + white + draws + black, 0);
    for (const move of here.moves) {
      const row = cells.find(([san]) => san === move.san);
      assert(row, move.san);
      const other = there.moves.find(({ san }) => san === move.san);
      assert.equal(row[1]?.replace(/ .$/, ''), share(sum([move]), sum([here])), move.san);
      assert.equal(row[2], share(other ? sum([other]) : 0, sum([there])), move.san);
    }
    // White scores nothing in games that Black won.
    const [first] = cells;
    assert.deepEqual(first?.slice(3), ['0% ▼', '100%']);
    await page.click('.comparison a:text-is("Exchange")');
    await settled(page);
    assert.match(new URL(page.url()).search, /result=1-0&with=result%3D0-1/);
    await page.click('.comparison a:text-is("End the comparison")');
    await settled(page);
    assert.equal(new URL(page.url()).search, '?result=1-0');
    assert.equal(await page.locator('.comparison table').count(), 0);
  }));

test('an archive is compared with all', () =>
  visit('?source=annotated&with=*', async (page) => {
    assert.match(await page.innerText('.comparison p'), /Compared with all games/);
    const all = tree();
    const e4 = all.moves.find(({ san }) => san === 'e4');
    assert(e4);
    const games = e4.white + e4.draws + e4.black;
    const row = page.locator('.comparison tr:has(th:text-is("e4")) td').nth(1);
    assert.equal(await row.innerText(), share(games, all.white + all.draws + all.black));
  }));
