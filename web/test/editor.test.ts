/** The position editor in a browser. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickSquare, openVisits, settled } from './browser.ts';

const visit = openVisits();

test('the editor sets up a position', () =>
  visit('', async (page) => {
    await page.keyboard.press('e');
    await page.click('button:text-is("Clear the board")');
    assert.match(await page.innerText('.editor-form .error'), /empty|king/);
    for (const [piece, square] of [
      ['white king', 'e1'],
      ['black king', 'e8'],
      ['white pawn', 'e2'],
    ] as const) {
      await page.click(`button[aria-label="${piece}"]`);
      await clickSquare(page, square);
    }
    assert.equal(await page.inputValue('#editor-fen'), '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
    await page.click('button[aria-label="Remove pieces"]');
    await clickSquare(page, 'e2');
    assert.equal(await page.inputValue('#editor-fen'), '4k3/8/8/8/8/8/8/4K3 w - - 0 1');
    await page.selectOption('#turn', 'b');
    await page.click('button:text-is("Explore this position")');
    await settled(page);
    assert.equal(new URL(page.url()).search, '?fen=4k3/8/8/8/8/8/8/4K3_b_-_-_0_1');
    assert.match(await page.innerText('.games .message'), /No game has this position/);
  }));
