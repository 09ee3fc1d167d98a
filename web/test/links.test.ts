/** Links and answers that are older than what the page shows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openVisits, settled } from './browser.ts';

const visit = openVisits();

const search = (page: Page): string => new URL(page.url()).search;

const GAME = '.game-table tr:has-text("Example, Ada") a.open';

test('links that were made before the board was turned leave it turned', () =>
  visit('?play=e2e4', async (page) => {
    await page.keyboard.press('f');
    await page.click('table.moves a.move:text-is("e5")');
    assert.equal(search(page), '?play=e2e4,e7e5&flip=1');
    assert.equal(await page.locator('.orientation-black').count(), 1);
  }));

test('a game leads back to the line on the board, also when it is shown again', () =>
  visit('?source=annotated', async (page) => {
    await page.click(GAME);
    await page.waitForSelector('.move-list');
    await page.goBack();
    await page.click('table.moves a.move:text-is("e4")');
    await settled(page);
    await page.click(GAME);
    await page.click('.game a:text-is("Games")');
    assert.equal(search(page), '?source=annotated&play=e2e4');
  }));

test('games opened after a line was left do not return to it', () =>
  visit('?play=e2e4,e7e5&at=0', async (page) => {
    await page.click('.brand');
    await page.click('.game-table a.open');
    await page.waitForSelector('.move-list');
    await page.keyboard.press('Backspace');
    await page.waitForSelector('.explorer');
    assert.equal(search(page), '');
  }));

test('a game that arrives after it was left does not name the page', () =>
  visit('?source=annotated', async (page) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/game/*', async (route) => {
      await held;
      await route.continue();
    });
    const title = await page.title();
    await page.click(GAME);
    const panel = await page.$('.game-panel');
    assert(panel);
    await page.goBack();
    await page.waitForSelector('.explorer');
    release();
    await page.waitForFunction((game) => !game.hasAttribute('aria-busy'), panel);
    assert.equal(await page.title(), title);
    await page.goForward();
    await page.waitForSelector('.move-list');
    assert.match(await page.title(), /Example, Ada – Sample, Ben/);
  }));
