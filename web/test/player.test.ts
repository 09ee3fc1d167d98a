/** The page of a player. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertMoves, countGames, grouped, openVisits, SERVER, settled, tree } from './browser.ts';

const visit = openVisits();

test('a page of a player has the score of each colour, and leads to the games', async () => {
  const response = await fetch(`${SERVER}/api/game/1`);
  const { white } = (await response.json()) as { white: { name: string } };
  await visit(`?view=player&player=${white.name}`, async (page) => {
    assert.equal(await page.innerText('h1'), white.name);
    for (const side of ['White', 'Black'] as const) {
      const part = page.locator(`.sides section[aria-label="As ${side}"]`);
      const of = tree(`--${side.toLowerCase()}`, white.name);
      const games = of.white + of.draws + of.black;
      assert.equal(await part.locator('.fact:has(dt:text-is("Games")) dd').innerText(), grouped(games));
      const score = (100 * ((side === 'White' ? of.white : of.black) + of.draws / 2)) / games;
      const shown = await part.locator('.fact:has(dt:text-is("Score")) dd').innerText();
      assert(games === 0 ? shown === '–' : Math.abs(Number.parseFloat(shown) - score) <= 0.5, shown);
    }
    const part = page.locator('.sides section[aria-label="As White"]');
    const row = part.locator('.card:has(h2:text-is("Openings")) tr').first();
    const eco = await row.locator('a').innerText();
    await row.locator('a').click();
    await settled(page);
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('white'), searchParams.get('eco')], [white.name, eco]);
    await page.goBack();
    await settled(page);
    await part.locator('.fact a').first().click();
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get('white'), white.name);
    await assertMoves(page, '--white', white.name);
    assert(countGames('--white', white.name, '--eco', eco) > 0);
    await page.keyboard.press('p');
    await settled(page);
    assert.equal(await page.innerText('h1'), white.name);
  });
});

test('players are found by name, and from a game', () =>
  visit('?source=annotated', async (page) => {
    await page.click('nav a:text-is("Players")');
    await page.fill('#player-name', 'example, ada');
    await page.press('#player-name', 'Enter');
    await settled(page);
    assert.equal(await page.innerText('h1'), 'example, ada');
    await page.click('nav a:text-is("Explorer")');
    await settled(page);
    await page.click('.game-table tr:has-text("Sample, Ben") a.open');
    await page.waitForSelector('.move-list');
    await page.click('.player a:has-text("Sample, Ben")');
    await settled(page);
    assert.equal(await page.innerText('h1'), 'Sample, Ben');
    assert.match(await page.innerText('section[aria-label="As Black"] .facts'), /Games\s+\d/);
  }));

test('openings of a player have names', async () => {
  const response = await fetch(`${SERVER}/api/game/1`);
  const { white } = (await response.json()) as { white: { name: string } };
  await visit(`?view=player&player=${white.name}`, async (page) => {
    const part = page.locator('.sides section[aria-label="As White"]');
    const rows = await part.locator('.card:has(h2:text-is("Openings")) th').allInnerTexts();
    assert(rows.length > 0);
    for (const row of rows) assert.match(row, /^[A-E]\d\d( \S.*)?$/);
    assert(rows.some((row) => row.length > 5));
    assert.match(await part.locator('.first-moves li').first().innerText(), /^\S+ [\d.]+% [A-Z]/);
  });
});

test('an unknown player has one sentence and near names, not empty boxes', async () => {
  const response = await fetch(`${SERVER}/api/names?name=c&limit=1`);
  const { names } = (await response.json()) as { names: { name: string }[] };
  const white = names[0];
  assert(white);
  await visit(`?view=player&player=${white.name.slice(0, -1)}`, async (page) => {
    assert.equal(await page.locator('.card:visible').count(), 0);
    assert.match(await page.innerText('.name-offer'), /^No player is called /);
    await page.click(`.name-offer a:has-text("${white.name}")`);
    await settled(page);
    assert.equal(await page.innerText('h1'), white.name);
    assert((await page.locator('.card:visible').count()) > 8);
    await page.fill('#player-name', 'zzzzqqqq');
    await page.press('#player-name', 'Enter');
    await settled(page);
    assert.equal(await page.locator('.card:visible').count(), 0);
    assert.match(await page.innerText('.name-offer'), /^No player is called zzzzqqqq\./);
    await page.goBack();
    await settled(page);
    assert.equal(await page.innerText('h1'), white.name);
    assert((await page.locator('.card:visible').count()) > 8);
  });
  await visit(`?view=player&player=${white.name}&event=none-such`, async (page) => {
    assert.match(await page.innerText('.player-page'), /No game of this player meets the conditions/);
    await page.click('.player-page .message a');
    await settled(page);
    assert((await page.locator('.card:visible').count()) > 8);
  });
});

test('the lines of a player show where he leaves the known and what he meets badly', async () => {
  const game = (await (await fetch(`${SERVER}/api/game/1`)).json()) as { white: { name: string } };
  await visit(`?view=player&player=${game.white.name}`, async (page) => {
    await settled(page);
    const part = page.locator('.sides section[aria-label="As White"]');
    await part.locator('button:text-is("Look at the lines")').click();
    await part.locator('h3:text-is("Meets badly")').waitFor();
    const items = await part.locator('.gaps li').allInnerTexts();
    for (const item of items) assert.match(item, /^1\. \S+.* [\d,]+ games?, scores [\d.]+%$/);
    const bad = part.locator('h3:text-is("Meets badly") + ol li');
    if ((await bad.count()) === 0) return;
    const text = await bad.first().innerText();
    await bad.first().locator('a').click();
    await settled(page);
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('white'), game.white.name);
    const games = /([\d,]+) games/.exec(text)?.[1];
    assert.match(await page.innerText('.explorer h1'), new RegExp(`${games} games`));
  });
});
