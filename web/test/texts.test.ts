/** Games whose texts are hard to show: run.mjs has them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardFen, openVisits, settled } from './browser.ts';

const visit = openVisits();

test('a game whose tag has quotes opens with its moves', () =>
  visit('?source=hard', async (page) => {
    await page.click('.game-table tr:has-text("Jack") a.open');
    await page.waitForSelector('.move-list');
    assert.match(await page.innerText('.move-list'), /1\. e4 e5\s+good\s+2\. Nf3 Nc6/);
    await page.keyboard.press('End');
    assert.match(await boardFen(page), /^r1bqkbnr\/pppp1ppp\/2n5/);
    assert.match(await page.innerText('h1'), /Smith, John "Jack"/);
  }));

test('no text of a game makes the page wider than the window', async () => {
  for (const query of [
    '?source=hard',
    '?game=3006',
    '?game=3008',
    '?view=statistics&source=hard',
    `?event=${'x'.repeat(5000)}`,
  ])
    for (const width of [320, 800, 1280, 1900])
      await visit(
        query,
        async (page) => {
          await settled(page);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, query);
        },
        { viewport: { width, height: 800 } },
      );
});

test('a name that runs from right to left does not turn what follows it around', async () => {
  for (const [query, where] of [
    ['?source=hard', '.game-table tr:has-text("Right, Ann")'],
    ['?game=3005', 'h1'],
  ] as const)
    await visit(query, async (page) => {
      const [name, black, result] = await page.$eval(where, (row) => {
        const range = document.createRange();
        const left = (text: string): number => {
          const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.textContent?.indexOf(text) ?? -1;
            if (at < 0) continue;
            range.setStart(node, at);
            range.setEnd(node, at + text.length);
            return range.getBoundingClientRect().left;
          }
          return Number.NaN;
        };
        return [left('Right'), left('Black Two'), left('0–1')];
      });
      assert(
        (name ?? 0) < (black ?? 0) && (black ?? 0) < (result ?? 0),
        `${query}: ${name} ${black} ${result}`,
      );
    });
});

test('totals that differ are explained', async () => {
  await visit('?source=hard', async (page) => {
    assert.match(await page.innerText('h1'), /3 games/);
    assert.match(await page.innerText('.games header'), /of 5\b/);
    assert.match(await page.innerText('.difference'), /2 games more than the table.*moves and a result/);
  });
  await visit('?source=hard&play=e2e4', async (page) => {
    assert(await page.isHidden('.difference'));
  });
});

test('a page beyond the end of the list says so', () =>
  visit('?source=annotated&offset=5000', async (page) => {
    assert.match(await page.innerText('.games header'), /none of 3\b/);
    assert.match(await page.innerText('.games .message'), /The list ends before this page/);
    await page.click('.games .page:text-is("Previous")');
    await settled(page);
    assert.match(await page.innerText('.games header'), /1–3 of 3\b/);
    await page.goBack();
    await settled(page);
    await page.click('.games .message a');
    await settled(page);
    assert.match(await page.innerText('.games header'), /1–3 of 3\b/);
  }));

test('leaving a game returns to where the list was', async () => {
  for (const leave of ['Backspace', 'back', 'link'])
    await visit('?play=e2e4', async (page) => {
      const game = page.locator('.game-table a.open').nth(30);
      await game.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => scrollY);
      assert(before > 300);
      await game.click();
      await page.waitForSelector('.move-list');
      assert.equal(await page.evaluate(() => scrollY), 0);
      await page.keyboard.press('ArrowRight');
      if (leave === 'Backspace') await page.keyboard.press('Backspace');
      else if (leave === 'back') await page.goBack();
      else await page.click('.game-panel a:text-is("Games")');
      await settled(page);
      assert.equal(await page.evaluate(() => scrollY), before, leave);
      assert(await game.evaluate((link) => link === document.activeElement));
    });
});

test('the help opens at its start on a phone', () =>
  visit(
    '',
    async (page) => {
      for (let i = 0; i < 2; i++) {
        await page.click('button[aria-label^="Help"]');
        assert.equal(await page.$eval('#help', (help) => help.scrollTop), 0);
        assert(await page.isVisible('#help-title'));
        assert.match(await page.innerText('#help'), /⇄\s+beside a move/);
        await page.$eval('#help', (help) => help.scrollTo(0, 1000));
        await page.click('#help button');
      }
    },
    { viewport: { width: 360, height: 640 } },
  ));

test('glyphs of bad moves have another colour than those of good ones', () =>
  visit('?source=annotated', async (page) => {
    await page.click('.game-table tr:has-text("Example, Ada") a.open');
    await page.waitForSelector('.move-list');
    const colours = await page.$$eval('.nag', (list) =>
      list.map((nag) => [nag.textContent ?? '', getComputedStyle(nag).color] as const),
    );
    const of = (symbols: string[]): Set<string> =>
      new Set(colours.filter(([symbol]) => symbols.includes(symbol)).map(([, colour]) => colour));
    const [bad, good] = [of(['?', '??', '?!']), of(['!', '!!', '!?'])];
    assert.equal(bad.size, 1);
    assert.equal(good.size, 1);
    assert.notDeepEqual(bad, good);
  }));

for (const colorScheme of ['light', 'dark'] as const)
  test(`the clock of White is the light line: ${colorScheme}`, () =>
    visit(
      '?source=annotated',
      async (page) => {
        await page.click('.game-table tr:has-text("Example, Ada") a.open');
        await page.waitForSelector('.clock-curve');
        const [white, black, ground] = await page.evaluate(() => {
          const luminance = (part: string, property: 'stroke' | 'fill'): number => {
            const element = document.querySelector(part) as Element;
            const channels = (getComputedStyle(element)[property].match(/\d+/g) ?? []).map((text) => {
              const value = Number(text) / 255;
              return value <= 0.04 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * (channels[0] ?? 0) + 0.7152 * (channels[1] ?? 0) + 0.0722 * (channels[2] ?? 0);
          };
          return [
            luminance('.clock-curve.white', 'stroke'),
            luminance('.clock-curve.black', 'stroke'),
            luminance('.clock-ground', 'fill'),
          ];
        });
        const contrast = (one = 0, other = 0): number => (one + 0.05) / (other + 0.05);
        assert(contrast(white, ground) > 2.5 && contrast(ground, black) > 3, `${white} ${ground} ${black}`);
      },
      { colorScheme },
    ));

test('moves are typed in many forms, as lines, and as PGN', async () => {
  for (const [text, play] of [
    ['e2-e4', 'e2e4'],
    ['Nf3!', 'g1f3'],
    ['e4 e5 Nf3', 'e2e4,e7e5,g1f3'],
    ['1. d4 {a} d5 (1... Nf6) 2. c4 *', 'd2d4,d7d5,c2c4'],
  ] as const)
    await visit('', async (page) => {
      await page.fill('#move', text);
      await page.press('#move', 'Enter');
      await settled(page);
      assert.equal(new URL(page.url()).searchParams.get('play'), play);
      assert.equal(await page.inputValue('#move'), '');
    });
  await visit('?play=e2e4,e7e5', async (page) => {
    await page.fill('#move', 'Nf3 Nc6 Bb5 Ke4');
    await page.press('#move', 'Enter');
    assert.match(await page.innerText('.line-view .error'), /Ke4 is not a legal move after the 3 moves/);
    // A text that starts with a game's first move begins at the start.
    await page.fill('#move', '1. c4 c5');
    await page.press('#move', 'Enter');
    await settled(page);
    assert.equal(new URL(page.url()).search, '?play=c2c4,c7c5');
    await page.$eval('#move', (field) => {
      const data = new DataTransfer();
      data.setData('text', '[Event "x"]\n[Result "*"]\n\n1. g3 ; a comment\n1... g6 *\n');
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true }),
      );
    });
    await settled(page);
    assert.equal(new URL(page.url()).search, '?play=g2g3,g7g6');
  });
});

test('a FEN without side to move means White', async () => {
  const pieces = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
  await visit(`?fen=${pieces}`, async (page) => {
    assert.match(await page.innerText('.games header'), /of \d/);
    await page.fill('#fen', 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
    await page.press('#fen', 'Enter');
    await settled(page);
    assert.match(await page.inputValue('#fen'), / w KQkq - 0 1$/);
    assert.match(await page.innerText('.games header'), /of \d/);
  });
});
