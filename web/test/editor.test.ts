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

test('a board that is turned keeps the brush, and takes moves again after it', () =>
  visit('?view=editor', async (page) => {
    const fen = (): Promise<string> => page.inputValue('#editor-fen');
    const squareOf = async (square: string): Promise<{ x: number; y: number }> => {
      const box = await page.locator('cg-board').boundingBox();
      assert(box);
      const size = box.width / 8;
      // Black is at the bottom.
      const file = 'h'.charCodeAt(0) - square.charCodeAt(0);
      return { x: box.x + (file + 0.5) * size, y: box.y + (Number(square[1]) - 0.5) * size };
    };
    await page.click('button[aria-label="white queen"]');
    await page.click('button:text-is("Flip")');
    assert.equal(await page.locator('.orientation-black').count(), 1);
    assert.equal(await page.getAttribute('button[aria-label="white queen"]', 'aria-pressed'), 'true');
    const cursor = await page.$eval('cg-board', (board) => getComputedStyle(board).cursor);
    assert.equal(cursor, 'crosshair');
    const e4 = await squareOf('e4');
    await page.mouse.click(e4.x, e4.y);
    assert.match(await fen(), /^rnbqkbnr\/pppppppp\/8\/8\/4Q3\/8\/PPPPPPPP\/RNBQKBNR /);
    await page.click('button[aria-label="Move pieces"]');
    const e6 = await squareOf('e6');
    await page.mouse.move(e4.x, e4.y);
    await page.mouse.down();
    await page.mouse.move(e6.x, e6.y, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() =>
      document
        .querySelector<HTMLInputElement>('#editor-fen')
        ?.value.startsWith('rnbqkbnr/pppppppp/4Q3/8/8/8/'),
    );
  }));
