/** How values are written. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DASH, timeControl } from '../src/format.ts';

test('time controls in seconds are shown in minutes, and others as they are', () => {
  for (const [text, shown] of [
    ['300+3', '5+3'],
    ['600', '10+0'],
    ['30', '½+0'],
    ['15+0', '¼+0'],
    ['90+1', '1.5+1'],
    ['40/7200:3600', '40/7200:3600'],
    ['1/86400', '1/86400'],
    ['-', DASH],
    ['', DASH],
    [null, DASH],
  ] as const)
    assert.equal(timeControl(text), shown, String(text));
});
