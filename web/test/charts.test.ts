/** Periods and axes of the charts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticks } from '../src/stats/charts.ts';
import { periods } from '../src/stats/periods.ts';

test('months without games are in the row', () => {
  const { unit, list } = periods([
    { month: '2012-11', games: 3 },
    { month: '2013-02', games: 4 },
  ]);
  assert.equal(unit, 'month');
  assert.deepEqual(
    list.map(({ label, games }) => `${label} ${games}`),
    ['2012-11 3', '2012-12 0', '2013-01 0', '2013-02 4'],
  );
});

test('many months are years, and no game is lost', () => {
  for (const [first, last, unit, bars] of [
    ['2011-11', '2013-02', 'month', 16],
    ['1850-01', '2013-02', 'year', 164],
    ['0001-01', '2013-02', 'year', 2013],
    ['2013', '2013-02', 'year', 1],
  ] as const) {
    const answer = periods([
      { month: first, games: 1 },
      { month: last, games: 2 },
    ]);
    assert.equal(answer.unit, unit, first);
    assert.equal(answer.list.length, bars, first);
    assert.equal(
      answer.list.reduce((sum, { games }) => sum + games, 0),
      3,
    );
  }
  assert.deepEqual(periods([]).list, []);
});

test('an axis has round numbers within its ends', () => {
  assert.deepEqual(
    ticks(0, 420).map((tick) => tick.label),
    ['0', '100', '200', '300', '400'],
  );
  assert.deepEqual(
    ticks(5, 7).map((tick) => tick.label),
    ['5', '5.5', '6', '6.5', '7'],
  );
  assert.equal(ticks(0, 420)[4]?.at, 400 / 420);
  assert.deepEqual(ticks(1, 1), []);
});
