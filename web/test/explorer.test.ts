/** The explorer in a browser: what it shows equals the output of the command ign for the same archives. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertMoves,
  BASE,
  boardFen,
  countGames,
  downloaded,
  expectedRows,
  grouped,
  ign,
  NEEDS_SERVER,
  openForm,
  openVisits,
  playMove,
  playOnBoard,
  rows,
  settled,
  sorted,
  tree,
} from './browser.ts';

const MAX_BYTES = 300_000;
/** The time to the first paint. Only IGN_FULL=1 asks for what a machine with nothing else to do reaches. */
const MAX_FIRST_VIEW_MS = process.env.IGN_FULL ? 500 : 2_500;

const visit = openVisits();

/** Opens the page in a browser without a cache: the time of the first paint, and the bytes that were transferred. */
async function firstView(warm: Page): Promise<{ paint: number; bytes: number }> {
  const session = await warm.context().browser()?.newContext();
  assert(session);
  const page = await session.newPage();
  const network = await session.newCDPSession(page);
  let bytes = 0;
  await network.send('Network.enable');
  network.on('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength;
  });
  await page.goto(`${BASE}/`);
  await page.waitForSelector('table.moves a.move');
  await page.waitForSelector('.game-table a');
  const [paint, shown] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    performance.now(),
  ]);
  assert(paint !== undefined && shown !== undefined);
  console.log(`first paint ${paint.toFixed(0)} ms, moves and games ${shown.toFixed(0)} ms, ${bytes} bytes`);
  await session.close();
  return { paint, bytes };
}

test('the first view is small and fast', () =>
  visit('', async (page) => {
    // The best of three, because other programs use the processor too.
    const views = [await firstView(page), await firstView(page), await firstView(page)];
    for (const { bytes } of views) assert(bytes > 10_000 && bytes < MAX_BYTES, `${bytes} bytes`);
    const paint = Math.min(...views.map((view) => view.paint));
    assert(paint < MAX_FIRST_VIEW_MS, `first paint after ${paint} ms`);
  }));

test('three moves on the board show the counts of ign tree', () =>
  visit('', async (page) => {
    await assertMoves(page);
    await playMove(page, 'e2', 'e4');
    await assertMoves(page, '--opening', '1. e4');
    await playMove(page, 'c7', 'c5');
    await assertMoves(page, '--opening', '1. e4 c5');
    await playMove(page, 'g1', 'f3');
    await assertMoves(page, '--opening', '1. e4 c5 2. Nf3');
    assert.match(await page.innerText('h1'), /B27|Sicilian/);
    assert.equal(new URL(page.url()).search, '?play=e2e4,c7c5,g1f3');
    assert.match(await boardFen(page), /^rnbqkbnr\/pp1ppppp\/8\/2p5\/4P3\/5N2\/PPPP1PPP\/RNBQKB1R b/);
  }));

test('ratings and performance are those of ign tree', () =>
  visit('?play=e2e4', async (page) => {
    const shown = await page.$$eval('table.moves tbody tr', (list) =>
      list.map((row) => [...row.querySelectorAll('td.number')].map((cell) => cell.textContent ?? '')),
    );
    const averages = tree('--opening', '1. e4').moves.map((move) => move.averageRating);
    const dash = (value: number | null): string => (value === null ? '–' : String(value));
    assert.deepEqual(shown.map((cells) => cells[2]).sort(), averages.map(dash).sort());
    const table = ign('tree', '--opening', '1. e4', '--moves', '3').split('\n');
    const line = table.find((text) => text.startsWith('e5 ')) ?? '';
    const performance = line.trim().split(/\s+/).at(-2);
    assert.equal(shown[0]?.[3], performance, line);
  }));

test('clicks on moves of the table play them, and links lead to the same position', () =>
  visit('', async (page) => {
    for (const san of ['d4', 'd5', 'c4']) {
      await page.click(`table.moves a.move:text-is("${san}")`);
      await settled(page);
    }
    const [url, shown] = [page.url(), await rows(page)];
    assert.deepEqual(sorted(shown), sorted(expectedRows(tree('--opening', '1. d4 d5 2. c4'))));
    await page.goto(url);
    await settled(page);
    assert.deepEqual(await rows(page), shown);
  }));

test('back and forward return to positions', () =>
  visit('', async (page) => {
    await page.click('table.moves a.move:text-is("e4")');
    await settled(page);
    await page.click('table.moves a.move:text-is("e5")');
    await settled(page);
    await page.goBack();
    await assertMoves(page, '--opening', '1. e4');
    assert.match(await boardFen(page), /4P3.* b /);
    await page.goBack();
    await assertMoves(page);
    await page.goForward();
    await page.goForward();
    await assertMoves(page, '--opening', '1. e4 e5');
  }));

test('the keyboard alone plays, steps, flips and explains', () =>
  visit('', async (page) => {
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
      await settled(page);
    };
    await press('ArrowDown', 'Enter');
    const [first] = tree().moves;
    assert(first);
    assert.equal(new URL(page.url()).search, `?play=${first.uci}`);
    await press('m');
    await page.keyboard.type('d5');
    await press('Enter', 'Escape', 'ArrowLeft');
    assert.equal(new URL(page.url()).search, `?play=${first.uci},d7d5&at=1`);
    await press('Home');
    await assertMoves(page);
    await press('End');
    await assertMoves(page, '--opening', `${first.uci} d7d5`);
    await press('f');
    assert.equal(await page.locator('.orientation-black').count(), 1);
    await press('?');
    assert(await page.isVisible('dialog#help'));
    await press('Escape');
    assert(await page.isHidden('dialog#help'));
    await press('/');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'filter-white');
  }));

test('every control is reached by Tab and shows its focus', () =>
  visit('?play=e2e4', async (page) => {
    const reached = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
        const style = getComputedStyle(element);
        const visible = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
        return { name: name.trim(), visible, body: element === document.body };
      });
      if (focus.body) break;
      assert(focus.visible, `the focus on ${focus.name} is not visible`);
      reached.add(focus.name);
    }
    for (const name of ['Explorer', 'Help (?)', 'Flip the board (F)', 'Position as FEN', 'More', 'e5']) {
      assert(reached.has(name), `${name} is not among ${[...reached].join(', ')}`);
    }
  }));

test('conditions of the form restrict moves and games as in ign', () =>
  visit('', async (page) => {
    await openForm(page);
    await page.fill('#filter-elo-from', '1500');
    await page.fill('#filter-elo-to', '1900');
    await page.check('label:text-is("blitz") input');
    await page.check('label:text-is("1–0") input');
    await page.click('button:text-is("Show games")');
    await settled(page);
    assert(await page.isHidden('#filters'));
    const conditions = ['--elo', '1500..1900', '--speed', 'blitz', '--result', '1-0'];
    await assertMoves(page, ...conditions);
    const expected = grouped(countGames(...conditions));
    assert.match(await page.innerText('.games header'), new RegExp(`of ${expected}`));
    await page.click('.chip:has-text("Result")');
    await settled(page);
    await assertMoves(page, ...conditions.slice(0, 4));
    await openForm(page);
    await page.click('button:text-is("Clear")');
    await settled(page);
    await assertMoves(page);
  }));

/** Whether the top of an element is in the window. */
const isInWindow = (page: Page, selector: string): Promise<boolean> =>
  page.$eval(selector, (element) => {
    const { top } = element.getBoundingClientRect();
    return top > -1 && top < innerHeight;
  });

for (const [name, viewport] of Object.entries({
  'a wide window': { width: 1280, height: 700 },
  'a phone': { width: 360, height: 740 },
})) {
  test(`the form closes and the results are in the window: ${name}`, () =>
    visit(
      '',
      async (page) => {
        await openForm(page);
        await page.fill('#filter-tag', 'White=^A');
        await page.selectOption('#filter-commented', 'yes');
        await page.selectOption('#filter-commented', 'any');
        await page.press('#filter-player', 'Enter');
        await settled(page);
        assert(await page.isHidden('#filters'));
        assert.equal(await page.getAttribute('.opener', 'aria-expanded'), 'false');
        assert(await isInWindow(page, '.tree'));
        await assertMoves(page, '--tag', 'White=^A');
      },
      { viewport },
    ));

  test(`the next page of games is shown from its top: ${name}`, () =>
    visit(
      '?play=e2e4',
      async (page) => {
        if (name === 'a phone') await page.click('.list-tabs button:has-text("Games")');
        await page.click('a.page:text-is("Next")');
        await settled(page);
        assert(await isInWindow(page, '.games header'));
      },
      { viewport },
    ));
}

test('old numbers are pale while new ones are awaited', { skip: NEEDS_SERVER }, () =>
  visit('', async (page) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/lichess|\/api\/games/, async (route) => {
      await held;
      await route.continue();
    });
    const opacity = (selector: string): Promise<string> =>
      page.$eval(selector, (element) => getComputedStyle(element).opacity);
    await page.click('table.moves a.move:text-is("e4")');
    await page.waitForSelector('.tree.waiting');
    await page.waitForSelector('h1.outdated');
    await page.waitForTimeout(300);
    for (const part of ['h1', '.tree', '.games-body', '.games header p'])
      assert.equal(await opacity(part), '0.5', part);
    release();
    await settled(page);
    for (const part of ['h1', '.tree', '.games-body', '.games header p'])
      assert.equal(await opacity(part), '1', part);
  }),
);

test('the first answer is awaited in words that can be read', () =>
  visit('?view=editor', async (page) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/lichess|\/api\/games/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('x');
    await page.waitForSelector('.tree.waiting');
    const [text, opacity] = await page.$eval('.tree', (tree) => [
      getComputedStyle(tree, '::before').content,
      getComputedStyle(tree).opacity,
    ]);
    assert.deepEqual([text, opacity], ['"Loading…"', '1']);
    release();
    await assertMoves(page);
  }));

test('one message says what is wrong in an address, without a button of no use', async () => {
  for (const [query, message, remedy] of [
    ['?source=zzz', /There is no archive 'zzz'; write one of sample, annotated/, 'Show all archives'],
    ['?fen=foo', /not a FEN/, 'Return to the starting position'],
    ['?fen=8/8/4k3/8/8/8/4P3/8', /exactly one king/, 'Return to the starting position'],
  ] as const) {
    await visit(
      query,
      async (page) => {
        assert.match(await page.innerText('.message'), message, query);
        assert.equal(await page.locator('.error:visible').count(), 1, query);
        assert.equal(await page.locator('button:text-is("Try again")').count(), 0, query);
        await page.click(`.message a:text-is("${remedy}")`);
        await assertMoves(page);
      },
      { errors: /status of 400/ },
    );
  }
});

test('a wrong move is selected, so that typing replaces it', () =>
  visit('', async (page) => {
    await page.fill('#move', 'Nf6');
    await page.press('#move', 'Enter');
    assert.match(await page.innerText('.line-view .error'), /Nf6 is not a legal move/);
    await page.keyboard.type('Nf3');
    await page.press('#move', 'Enter');
    assert.equal(new URL(page.url()).search, '?play=g1f3');
    await page.fill('#fen', '8/8/4k3/8/8/8/4P3/8 w');
    await page.press('#fen', 'Enter');
    assert.match(await page.innerText('.line-view .error'), /exactly one king/);
    assert.equal(new URL(page.url()).search, '?play=g1f3');
  }));

test('that the link was copied is shown', () =>
  visit(
    '?play=e2e4',
    async (page) => {
      await page.click('button[title="Copy the link to this page"]');
      await page.waitForSelector('.notice:text-is("Link copied")');
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copied, page.url());
      await page.waitForSelector('.notice', { state: 'detached' });
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

test('one row of a table is marked', () =>
  visit('', async (page) => {
    const marked = (): Promise<number> =>
      page.$$eval(
        'table.moves tbody tr',
        (list) => list.filter((row) => getComputedStyle(row).backgroundColor !== 'rgba(0, 0, 0, 0)').length,
      );
    assert.equal(await marked(), 0);
    await page.hover('table.moves tbody tr:nth-child(3)');
    assert.equal(await marked(), 1);
    await page.keyboard.press('ArrowDown');
    assert.equal(await marked(), 1);
  }));

test('the help has its focus on the button that closes it', () =>
  visit('', async (page) => {
    await page.keyboard.press('?');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Close');
  }));

test('conditions on positions and other tags restrict games as in ign', async () => {
  for (const [query, ...options] of [
    ['?material=KRKR&final=true', '--material', 'KRKR', '--final'],
    ['?tag=White%3D%5EA&tag=Black%3Da', '--tag', 'White=^A', '--tag', 'Black=a'],
    ['?eco=D00..D69&plies=20..', '--eco', 'D00..D69', '--plies', '20..'],
    ['?signature=A%3D%3F%3Fg4%3F%3F&has_clocks=true', '--signature', 'A=??g4??', '--has-clocks'],
    ['?has_evals=true', '--has-evals'],
    ['?position=4k3/8/4K3/8/8/8/8/8+w+-+-', '--position', '4k3/8/4K3/8/8/8/8/8 w - -'],
    ['?mean_elo=1500..1600&date=2013-01', '--mean-elo', '1500..1600', '--date', '2013-01'],
  ] as const) {
    await visit(query, async (page) => {
      const count = countGames(...options);
      const expected = count === 0 ? 'none' : `of ${grouped(count)}`;
      assert.match(await page.innerText('.games header'), new RegExp(expected), query);
      await assertMoves(page, ...options);
    });
  }
});

test('the form has every condition of ign find', () =>
  visit('', async (page) => {
    const help = ign('find', '--help');
    const conditions = help.slice(help.indexOf('Players and ratings:'), help.indexOf('Examples:'));
    const names = [...conditions.matchAll(/^ +--([a-z-]+)/gm)].map((match) =>
      (match[1] ?? '').replaceAll('-', '_'),
    );
    assert(names.length >= 30, names.join(' '));
    await openForm(page);
    const fields = await page.$$eval('.filters [id^="filter-"]', (all) => all.map((field) => field.id));
    assert.deepEqual(
      names.filter((name) => !fields.some((id) => id.startsWith(`filter-${name}`))),
      [],
    );
    assert.equal(await page.locator('.filters .field').count(), names.length);
  }));

test('an invalid condition is explained at its field', () =>
  visit(
    '?white_elo=abc',
    async (page) => {
      const field = page.locator('.field:has(#filter-white_elo-from)');
      assert.match(await field.innerText(), /'abc' is not an integer from 0 to 65535; write a value/);
      assert.equal((await field.locator('[aria-invalid="true"]').count()) > 0, true);
    },
    { errors: /status of 400/ },
  ));

test('a FEN leads to its position, and a wrong one is explained', () =>
  visit('', async (page) => {
    const fen = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
    await page.fill('#fen', fen);
    await page.press('#fen', 'Enter');
    await assertMoves(page, '--position', fen);
    const count = grouped(countGames('--position', fen));
    assert.match(await page.innerText('.games header'), new RegExp(`of ${count}`));
    await page.fill('#fen', 'nonsense');
    await page.press('#fen', 'Enter');
    assert.match(await page.innerText('.line-view .error'), /not a FEN/);
  }));

test('a pawn is promoted to the piece that is chosen', () =>
  visit('?fen=8/P5k1/8/8/8/8/6K1/8_w_-_-_0_1', async (page) => {
    await playOnBoard(page, 'a7', 'a8');
    await page.click('.promotion button[aria-label="Knight"]');
    await settled(page);
    assert.match(new URL(page.url()).search, /play=a7a8n/);
    assert.match(await page.innerText('.games header'), /of 1\b/);
  }));

test('the list of games has pages, in the order of ign find', () =>
  visit('?play=e2e4', async (page) => {
    const numbers = (): Promise<number[]> =>
      page.$$eval('.game-table a.open', (list) =>
        list.map((a) => Number(new URL((a as HTMLAnchorElement).href).searchParams.get('game'))),
      );
    const total = countGames('--position', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -');
    const first = await numbers();
    assert.equal(first.length, 50);
    await page.click('a.page:text-is("Next")');
    await settled(page);
    const second = await numbers();
    assert((second[0] ?? 0) > (first[49] ?? 0));
    assert.match(await page.innerText('.games header'), new RegExp(`51–100 of ${grouped(total)}`));
    await page.goBack();
    await settled(page);
    assert.deepEqual(await numbers(), first);
  }));

test('the PGN of a result list is that of ign find', () =>
  visit('?eco=B20..B29&elo=1700..', async (page) => {
    const text = await downloaded(page, '.games .download');
    assert.equal(text, ign('find', '--pgn', '--eco', 'B20..B29', '--elo', '1700..'));
    assert(text.length > 1000);
  }));

test('where nothing is found, the page suggests what to change', () =>
  visit('?player=nobody-has-this-name', async (page) => {
    assert.match(await page.innerText('.games .message'), /No game meets all conditions/);
    await page.click('.games .message a:text-is("Remove all conditions")');
    await assertMoves(page);
  }));

test('a name that a player has gets no hint about names', () =>
  visit('?source=annotated&player=Example%2C+Ada&event=none-such', async (page) => {
    assert.match(await page.innerText('.games .message'), /No game meets all conditions/);
    assert.doesNotMatch(await page.innerText('.games .message'), /name/i);
    assert.equal(await page.innerText('.name-offer'), '');
  }));

test('an unknown name of an address gets near names', () =>
  visit('?source=annotated&white=Exampel', async (page) => {
    await page.waitForSelector('.name-offer:has-text("No player is called Exampel. Similar names:")');
    await page.click('.name-offer a');
    await settled(page);
    assert.match(await page.innerText('.games header'), /of \d/);
  }));

test('the arrow of a move goes with its table', () =>
  visit('', async (page) => {
    await page.hover('table.moves tbody tr:nth-child(8) th');
    await page.waitForFunction(() => document.querySelector('.cg-shapes line') !== null);
    // By the keyboard: the pointer rests where the row was.
    await page.focus('.common [aria-label="Both ratings, from"]');
    await page.keyboard.type('3400');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await page.locator('table.moves').count(), 0);
    await page.waitForFunction(() => document.querySelector('.cg-shapes line') === null);
  }));

test('an archive can be chosen', () =>
  visit('', async (page) => {
    await page.selectOption('header select', 'annotated');
    await settled(page);
    assert.match(await page.innerText('.games header'), /of 3\b/);
    assert.equal(new URL(page.url()).search, '?source=annotated');
  }));

test('a server that ends is reported in words', { skip: NEEDS_SERVER }, () =>
  visit(
    '',
    async (page) => {
      await page.route('**/lichess*', (route) => route.abort());
      await page.route('**/api/*', (route) => route.abort());
      await page.click('table.moves a.move:text-is("e4")');
      await settled(page);
      assert.match(await page.innerText('.tree .message'), /The server does not answer/);
      await page.unroute('**/lichess*');
      await page.click('.tree .message button');
      await assertMoves(page, '--opening', '1. e4');
    },
    { errors: /ERR_FAILED/ },
  ),
);

test('lines are drawn with their shares of the games, and lead to their positions', () =>
  visit('?play=e2e4', async (page) => {
    await page.click('summary:text-is("Lines as a picture")');
    await page.waitForSelector('.boxes a');
    await settled(page);
    const moves = tree('--opening', '1. e4').moves;
    const [first] = moves;
    assert(first);
    const games = grouped(first.white + first.draws + first.black);
    const box = page.locator('.boxes li').first();
    assert.match(await box.innerText(), new RegExp(`^${first.san}\\s+${games}`));
    const heights = await page.$$eval('.boxes li', (all) =>
      all
        .filter((one) => (one as HTMLElement).style.left === '0%')
        .map((one) => Number.parseFloat((one as HTMLElement).style.height)),
    );
    const sum = heights.reduce((a, b) => a + b, 0);
    assert(sum > 60 && sum <= 100.01, String(sum));
    await box.locator('a').click();
    await settled(page);
    assert.equal(new URL(page.url()).search, `?play=e2e4,${first.uci}`);
  }));
