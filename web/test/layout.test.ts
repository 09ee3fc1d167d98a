/** Statistics, themes, narrow screens, accessibility, and the pictures of the documentation. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  countGames,
  dropFile,
  grouped,
  NEEDS_SERVER,
  openForm,
  openVisits,
  playMove,
  settled,
  tree,
} from './browser.ts';

const visit = openVisits();

const root = process.env.IGN_WEB ?? '.';
const AXE = readFileSync(createRequire(join(root, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8');

const VIEWS = {
  explorer: '?play=e2e4,c7c5,g1f3',
  conditions: '?elo=1400..&speed=blitz',
  empty: '?player=nobody-has-this-name',
  endgame: '?material=QqBbNn%3D0,R%3D1..,r%3D1..',
  unknown: '?view=player&player=nobody-has-this-name',
  game: '?game=3001&node=22',
  editor: '?view=editor&play=d2d4',
  statistics: '?view=statistics',
  storage: '?view=storage',
  player: '?view=player&player=A*',
  dropped: '?view=dropped',
  droppedGame: '?view=dropped&game=2',
  settings: '',
  lines: '?play=e2e4&kept=e2e4,e7e5,g1f3;e2e4,c7c5,c2c3',
} as const;

/** Games of a file that is dropped. */
const DROPPED = `[Event "Club championship"]
[White "Example, Ada"]
[Black "Sample, Ben"]
[WhiteElo "2104"]
[BlackElo "2051"]
[Date "2026.10.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 (4... Qe7 5. d4 (5. O-O Nf6) 5... Bb6) 5. d3 a6 6. h3 h6 7. Na3 1-0

[Event "Club championship"]
[White "Model, Cleo"]
[Black "Example, Ada"]
[WhiteElo "1988"]
[BlackElo "2104"]
[Date "2026.10.09"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 Nxd5 {The rare move.} (4... exd5 5. Bg5 Be7) 5. e4 Nxc3 6. bxc3 c5 1/2-1/2

[Event "Rapid"]
[White "Sample, Ben"]
[Black "Model, Cleo"]
[Date "2026.10.11"]
[Result "0-1"]

1. c4 c5 2. g3 g6 3. Bg2 Bg7 4. Nc3 Nc6 5. a3 a6 6. Rb1 Rb8 0-1
`;

/** Waits for all that a view loads. */
async function ready(page: Page, name: keyof typeof VIEWS): Promise<void> {
  await settled(page);
  if (name === 'storage') await page.waitForSelector('.card .columns', { timeout: 30_000 });
  if (name === 'game') await page.waitForSelector('.move-list');
  if (name === 'conditions') await openForm(page);
  if (name === 'dropped' || name === 'droppedGame') {
    await dropFile(page, 'club.pgn', DROPPED);
    await page.waitForSelector('.dropped-table');
    if (name === 'droppedGame') {
      await page.locator('.dropped-table a.open').nth(1).click();
      for (let i = 0; i < 8; i += 1) await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.leaving:not(:empty)');
    }
    await page.waitForFunction(() => document.querySelector('.dropped [aria-busy]') === null);
  }
  if (name === 'settings') await page.keyboard.press(',');
  if (name === 'lines') {
    await page.click('summary:text-is("Lines as a picture")');
    await page.waitForSelector('.boxes a');
  }
}

test('statistics begin with chess, and lead to the games', () =>
  visit('?view=statistics', async (page) => {
    await settled(page);
    const titles = await page.locator('.card h2').allInnerTexts();
    assert.deepEqual(titles, [
      'Results',
      'Openings',
      'Results by mean rating',
      'Results by year',
      'Results by speed',
      'Games a month',
    ]);
    assert.equal(await page.innerText('.fact:has(dt:text-is("Games")) dd'), grouped(countGames()));
    const drawn = grouped(countGames('--result', '1/2-1/2'));
    assert.match(await page.innerText('.fact:has(dt:text-is("Drawn")) dd'), new RegExp(`^${drawn}\\b`));
    const volume = page.locator('.eco-part:has(summary .eco:text-is("C"))').first();
    await volume.locator('summary').first().click();
    const part = volume.locator('.eco-part').first();
    await part.locator('summary').click();
    const row = part.locator('tr').first();
    const code = await row.locator('a').innerText();
    assert.match(code, /^C\d\d$/);
    const decided = ['--result', '1-0,0-1,1/2-1/2'];
    assert.equal(await row.locator('.number').innerText(), grouped(countGames('--eco', code, ...decided)));
    await row.locator('a').click();
    await settled(page);
    assert.equal(new URL(page.url()).search, `?eco=${code}`);
    await page.goBack();
    await page.click('.column.active:has(span)');
    await settled(page);
    assert.match(new URL(page.url()).search, /^\?date=\d{4}/);
  }));

test('bytes and bits are behind a tab', () =>
  visit('?view=statistics', async (page) => {
    await page.click('.tabs a:text-is("Bytes and bits")');
    await ready(page, 'storage');
    const titles = await page.locator('.card h2').allInnerTexts();
    for (const title of ['Where the bytes go', 'Bits a game', 'Bits a ply', 'Bits by ply'])
      assert(titles.includes(title), titles.join(', '));
    const games = grouped(countGames());
    assert.equal(await page.innerText('.fact:has(dt:text-is("Games")) dd'), games);
  }));

test('the theme follows the system until it is chosen, and is kept', () =>
  visit(
    '',
    async (page) => {
      const background = (): Promise<string> =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const dark = await background();
      assert.equal(dark, 'rgb(23, 23, 21)');
      await page.keyboard.press('t');
      const light = await background();
      assert.equal(light, 'rgb(244, 243, 239)');
      await page.reload();
      await settled(page);
      assert.equal(await background(), light);
    },
    { colorScheme: 'dark' },
  ));

for (const [name, query] of Object.entries(VIEWS) as [keyof typeof VIEWS, string][]) {
  test(`nothing is cut off on narrow screens: ${name}`, () =>
    visit(
      query,
      async (page) => {
        await ready(page, name);
        for (const width of [320, 360, 412, 768, 912]) {
          await page.setViewportSize({ width, height: 740 });
          const wide = await page.evaluate(() =>
            [...document.querySelectorAll('body *')]
              .filter((element) => {
                const box = element.getBoundingClientRect();
                const hidden =
                  element.closest('.hidden, .skip, cg-container, .line, .move-list, .boxes, dialog') !== null;
                return !hidden && box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5);
              })
              .map((element) => `${element.tagName}.${element.className}`),
          );
          assert.deepEqual(wide, [], `${width} pixels`);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
          const panels = await page.$$eval('.panel', (list) =>
            list.map((p) => p.scrollWidth - p.clientWidth),
          );
          assert(
            panels.every((overflow) => overflow <= 0),
            `${width} pixels: ${panels}`,
          );
        }
      },
      { viewport: { width: 320, height: 640 }, hasTouch: true },
    ));

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing to object to: ${name}, ${colorScheme}`, () =>
      visit(
        query,
        async (page) => {
          await ready(page, name);
          // The page's policy forbids scripts in the document, not those of the debugger.
          await page.evaluate(AXE);
          const { passed, violations } = await page.evaluate(async () => {
            const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResult> } };
            const result = await axe.run();
            const passed = result.passes.map((rule) => rule.id);
            const violations = result.violations.map(
              (v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`,
            );
            return { passed, violations };
          });
          assert.deepEqual(violations, []);
          // Where a dialog is open, only it is looked at.
          const ofPage = name === 'settings' ? [] : ['html-has-lang'];
          for (const rule of ['color-contrast', 'button-name', ...ofPage])
            assert(passed.includes(rule), rule);
        },
        { colorScheme },
      ));
  }
}

interface AxeResult {
  passes: { id: string }[];
  violations: { id: string; nodes: { html: string }[] }[];
}

test('a board follows its size, and does so with one observer', () =>
  visit('', async (page) => {
    await page.addInitScript(() => {
      const counted = globalThis as unknown as { observers: number };
      counted.observers = 0;
      globalThis.ResizeObserver = class extends ResizeObserver {
        constructor(callback: ResizeObserverCallback) {
          super(callback);
          counted.observers += 1;
        }
      };
    });
    await page.reload();
    await settled(page);
    const observers = (): Promise<number> =>
      page.evaluate(() => (globalThis as unknown as { observers: number }).observers);
    assert.equal(await observers(), 1);
    for (const width of [900, 500, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // Both are a multiple of eight pixels wide.
      await page.waitForFunction(() => {
        const [outer, inner] = ['.board', 'cg-board'].map(
          (part) => document.querySelector(part)?.clientWidth,
        );
        return outer !== undefined && inner === outer && outer % 8 === 0;
      });
    }
    await playMove(page, 'e2', 'e4');
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('e');
      await page.waitForSelector('.editor cg-board');
      await page.keyboard.press('Escape');
      await settled(page);
    }
    await playMove(page, 'e7', 'e5');
    assert.equal(new URL(page.url()).search, '?play=e2e4,e7e5');
    assert.equal(await observers(), 2);
  }));

test('a touch plays a move on a narrow screen', () =>
  visit(
    '',
    async (page) => {
      await page.tap('table.moves a.move:text-is("e4")');
      await settled(page);
      const shown = await page.locator('table.moves tbody tr').count();
      assert.equal(shown, tree('--opening', '1. e4').moves.length);
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  ));

const FONTS = {
  system: ['var(--text-font)', '0'],
  wide: ['Verdana, "DejaVu Sans", sans-serif', '0.06em'],
  code: ['"DejaVu Sans Mono", monospace', '0'],
} as const;

for (const [name, [font, spacing]] of Object.entries(FONTS))
  test(`the tables of moves and games do not overlap: ${name} font`, () =>
    visit('?play=e2e4', async (page) => {
      const overlaps = (): Promise<string[]> =>
        page.evaluate(() => {
          const parts = ['.moves', '.game-table', '.board', '.top-games'];
          const boxes = parts.flatMap((part) => {
            const box = document.querySelector(part)?.getBoundingClientRect();
            return box && box.width > 0 ? [{ part, box }] : [];
          });
          const found: string[] = [];
          for (const { part, box } of boxes) {
            const frame = document.querySelector(part)?.parentElement?.getBoundingClientRect();
            if (box.right > innerWidth + 0.5) found.push(`${part} leaves the window`);
            if (frame && box.right > frame.right + 0.5) found.push(`${part} leaves its frame`);
            for (const other of boxes) {
              const apart =
                box.right <= other.box.left + 0.5 ||
                other.box.right <= box.left + 0.5 ||
                box.bottom <= other.box.top + 0.5 ||
                other.box.bottom <= box.top + 0.5;
              if (part < other.part && !apart) found.push(`${part} and ${other.part}`);
            }
          }
          return found;
        });
      await page.evaluate(
        ([font, spacing]) => {
          const { style } = document.documentElement;
          style.setProperty('font-family', font);
          style.setProperty('letter-spacing', spacing);
        },
        [font, spacing] as const,
      );
      for (const games of ['1,234,567', '100,000,000']) {
        await page.$$eval(
          '.moves td.number:nth-child(2)',
          (cells, games) => {
            for (const cell of cells) cell.textContent = games;
          },
          games,
        );
        const widths = [320, 360, 412, 900, 1900, 2560];
        for (let width = 320; width <= 2560; width += 64) widths.push(width);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await overlaps(), [], `${name}, ${games}, ${width} pixels`);
        }
      }
    }));

test('the first view takes at most 300 kB', { skip: NEEDS_SERVER }, () =>
  visit('', async (page) => {
    const bytes = await page.evaluate(() =>
      (performance.getEntries() as PerformanceResourceTiming[]).reduce(
        (sum, entry) => sum + (entry.transferSize ?? 0),
        0,
      ),
    );
    assert(bytes > 50_000 && bytes <= 300_000, `${bytes} bytes`);
  }),
);

// No test of the page: it is left out rather than skipped.
if (process.env.SCREENSHOTS === '1') {
  test('pictures for the documentation', async () => {
    const folder = join(root, '../docs/images');
    mkdirSync(folder, { recursive: true });
    const take = (
      file: string,
      name: keyof typeof VIEWS,
      query: string,
      width: number,
      height: number,
      dark = false,
    ) =>
      visit(
        query,
        async (page) => {
          await ready(page, name);
          if (name === 'dropped') {
            await page.click('button:text-is("For White")');
            await page.waitForSelector('.gaps li');
          }
          const path = join(folder, `${file}.png`);
          await page.screenshot({ path });
          // Half the size, if the program is installed.
          spawnSync('pngquant', ['--force', '--strip', '--speed', '1', '--output', path, '256', path]);
        },
        { viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' },
      );
    await take('explorer', 'explorer', '?play=e2e4,c7c5,g1f3', 1280, 760);
    await take('explorer-dark', 'explorer', '?play=d2d4,g8f6,c2c4&speed=blitz', 1280, 760, true);
    await take('game', 'game', '?game=3001&node=22', 1280, 760);
    await take('statistics', 'statistics', '?view=statistics&source=sample', 1280, 860);
    await take('phone', 'explorer', '?play=e2e4,e7e5', 360, 760);
    await take('dropped', 'dropped', VIEWS.dropped, 1280, 620);
  });
}
