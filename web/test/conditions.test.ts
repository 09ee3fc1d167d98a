/** The common conditions, completion of names, conditions made of the board, and searches that take long. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDGAMES } from '../src/endgames.ts';
import {
  assertMoves,
  BASE,
  countGames,
  grouped,
  NEEDS_SERVER,
  openVisits,
  SERVER,
  settled,
  tree,
} from './browser.ts';

const visit = openVisits();

const parameters = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);

/** The players of the first game. */
async function players(): Promise<[string, string]> {
  const response = await fetch(`${SERVER}/api/game/1`);
  const game = (await response.json()) as { white: { name: string }; black: { name: string } };
  return [game.white.name, game.black.name];
}

/** The player with the most games whose name begins so. */
async function mostPlayed(letters: string): Promise<string> {
  const response = await fetch(`${SERVER}/api/names?name=${letters}&limit=1`);
  const { names } = (await response.json()) as { names: { name: string }[] };
  return names[0]?.name ?? '';
}

test('common conditions restrict moves and games as in ign', async () => {
  const [white] = await players();
  await visit('', async (page) => {
    const bar = page.locator('.common');
    await bar.getByLabel('Speed').last().selectOption('blitz');
    await settled(page);
    await bar.getByLabel('Both ratings, from').fill('1500');
    await bar.getByLabel('Both ratings, from').press('Enter');
    await settled(page);
    await bar.getByLabel('Result').last().selectOption('1-0');
    await settled(page);
    assert.deepEqual(parameters(page.url()), { elo: '1500..', speed: 'blitz', result: '1-0' });
    const conditions = ['--elo', '1500..', '--speed', 'blitz', '--result', '1-0'];
    await assertMoves(page, ...conditions);
    assert.match(
      await page.innerText('.games header'),
      new RegExp(`of ${grouped(countGames(...conditions))}`),
    );
    await bar.getByLabel('Speed').last().selectOption('any');
    await settled(page);
    await assertMoves(page, '--elo', '1500..', '--result', '1-0');
  });
  await visit('', async (page) => {
    await page.fill('#common-player', white);
    await page.press('#common-player', 'Enter');
    await settled(page);
    assert.deepEqual(parameters(page.url()), { player: white });
    await page.selectOption('.common [aria-label="Colour of the player"]', 'as White');
    await settled(page);
    assert.deepEqual(parameters(page.url()), { white });
    await assertMoves(page, '--white', white);
  });
});

test('what the common conditions cannot show stays as it is', () =>
  visit('?speed=blitz,rapid&elo=1000..1200,2200..&result=draw&date=2013-01-05', async (page) => {
    await page.fill('#common-player', 'A*');
    await page.press('#common-player', 'Enter');
    await settled(page);
    assert.deepEqual(parameters(page.url()), {
      speed: 'blitz,rapid',
      elo: '1000..1200,2200..',
      result: 'draw',
      date: '2013-01-05',
      player: 'A*',
    });
  }));

test('an endgame is chosen by its name, in the bar and in the form', () =>
  visit('', async (page) => {
    const inBar = page.locator('.common').getByLabel('Endgame').last();
    for (const { name, material } of ENDGAMES) {
      await inBar.selectOption(name);
      await settled(page);
      assert.deepEqual(parameters(page.url()), { material });
      const games = countGames('--material', material);
      const listed = await page.innerText('.games header p');
      assert.match(listed, new RegExp(games === 0 ? '^none' : `of ${grouped(games)}$`), name);
      assert.match(await page.innerText('.chips'), new RegExp(`^Endgame: ${name}`));
    }
    await page.click('.opener');
    const field = page.locator('.field:has(#filter-material)');
    assert.match(await field.innerText(), /exactly one pawn.*any number of pawns/s);
    const inForm = field.getByLabel('Endgame');
    await inForm.selectOption('Pawn ending');
    assert.equal(await page.inputValue('#filter-material'), ENDGAMES[1]?.material);
    await page.fill('#filter-material', 'KRPKR');
    assert.equal(await inForm.inputValue(), 'KRPKR');
    await page.fill('#filter-material', 'KQQKQ');
    assert.equal(await inForm.inputValue(), '');
    await page.click('.filters button[type="submit"]');
    await settled(page);
    assert.match(await page.innerText('.chips'), /^Material: KQQKQ/);
    assert.equal(await inBar.inputValue(), 'KQQKQ');
  }));

test('a part of a name is no condition: the names that begin so are offered', async () => {
  const white = await mostPlayed('c');
  await visit('?speed=blitz', async (page) => {
    const type = async (name: string): Promise<void> => {
      await page.fill('#common-player', name);
      await page.press('#common-player', 'Enter');
      await settled(page);
    };
    await type(white.slice(0, -1));
    assert.deepEqual(parameters(page.url()), { speed: 'blitz' });
    assert.match(await page.innerText('.name-offer'), /^No player is called .*\. Names that begin so:/);
    await page.click(`.name-offer a:has-text("${white}")`);
    await settled(page);
    assert.deepEqual(parameters(page.url()), { speed: 'blitz', player: white });
    assert.equal(await page.innerText('.name-offer'), '');
    // Letters that are wrong at the end.
    await type(`${white}zz`);
    assert.match(await page.innerText('.name-offer'), /Similar names:/);
    assert(await page.isVisible(`.name-offer a:has-text("${white}")`));
    await type('zzzzqqqq');
    assert.equal(await page.innerText('.name-offer'), 'No player is called zzzzqqqq.');
    assert.deepEqual(parameters(page.url()), { speed: 'blitz', player: white });
    // Another condition is set all the same, and what was typed stays.
    await page.locator('.common').getByLabel('Speed').last().selectOption('any');
    await settled(page);
    assert.deepEqual(parameters(page.url()), { player: white });
    assert.equal(await page.inputValue('#common-player'), 'zzzzqqqq');
    assert.match(await page.innerText('.name-offer'), /zzzzqqqq/);
    await page.goBack();
    await settled(page);
    await type(white.toUpperCase());
    assert.deepEqual(parameters(page.url()), { speed: 'blitz', player: white.toUpperCase() });
  });
});

test('the score is that of the player who is chosen', async () => {
  const [white] = await players();
  const points = (side: 'white' | 'black'): [points: number, games: number] => {
    const of = tree(`--${side}`, white);
    return [of[side] + of.draws / 2, of.white + of.draws + of.black];
  };
  const [one, other] = [points('white'), points('black')];
  const share = (points: number, games: number): string =>
    `${white} scores ${((100 * points) / games).toFixed(points / games < 0.0995 ? 1 : 0)}%`;
  for (const [side, points, games] of [
    ['white', ...one],
    ['black', ...other],
    ['player', one[0] + other[0], one[1] + other[1]],
  ] as const)
    await visit(`?${side}=${white}`, async (page) => {
      if (games === 0) return;
      await page.waitForSelector('h1 small:has-text("scores")');
      const head = await page.innerText('h1');
      assert(head.includes(share(points, games)), `${side}: ${head}`);
      assert.doesNotMatch(head, /White scores/);
    });
});

test('names are completed from the index', async () => {
  const [white] = await players();
  await visit('', async (page) => {
    await page.fill('#common-player', white.slice(0, 3).toLowerCase());
    const offered = page.locator('#common-player-names option');
    await offered.first().waitFor({ state: 'attached' });
    const names = await offered.evaluateAll((list) =>
      list.map((option) => (option as HTMLOptionElement).value),
    );
    for (const name of names) assert(name.toLowerCase().startsWith(white.slice(0, 3).toLowerCase()), name);
    await page.fill('#common-player', white);
    await page.waitForFunction(
      (name) => document.querySelector<HTMLOptionElement>('#common-player-names option')?.value === name,
      white,
    );
    const games = await offered.first().textContent();
    assert.match(games ?? '', new RegExp(`^${grouped(countGames('--player', white))} game`));
  });
});

test('conditions on positions are made of the board', () =>
  visit('?fen=4k3/8/8/8/8/8/r6P/R3K3_w_Q_-_0_1', async (page) => {
    await page.click('.opener');
    for (const [name, value] of [
      ['material', 'KRPKR'],
      ['board', '4k3/8/8/8/8/8/r6P/R3K3'],
      ['position', '4k3/8/8/8/8/8/r6P/R3K3 w Q -'],
    ] as const) {
      await page.click(`.field:has(#filter-${name}) button`);
      assert.equal(await page.inputValue(`#filter-${name}`), value);
    }
  }));

test('a condition that is given twice is an error that names it', () =>
  visit(
    '?white=a&white=b',
    async (page) => {
      const field = page.locator('.field:has(#filter-white)');
      assert.match(await field.innerText(), /White is given twice/);
      assert(await page.locator('#filter-white[aria-invalid="true"]').isVisible());
    },
    { errors: /status of 400/ },
  ));

test('a search that takes long shows its progress, and is cancelled', { skip: NEEDS_SERVER }, () =>
  visit('', async (page) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/lichess|\/api\/games/, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.route('**/api/progress*', (route) => route.fulfill({ json: { progress: 0.4 } }));
    await page.goto(`${BASE}/?pattern=Qh5`);
    await page.waitForSelector('.searching:not([hidden])');
    assert.match(await page.innerText('.searching'), /Searching all games\s*40%/);
    assert.equal(await page.getAttribute('.searching progress', 'aria-label'), 'Progress of the search');
    const ended = ['/api/games', '/lichess'].map((path) =>
      page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname === path),
    );
    await page.click('.searching button');
    await Promise.all(ended);
    assert(await page.isHidden('.searching'));
    assert.match(await page.innerText('.tree'), /The search was cancelled/);
    release();
    await page.click('.tree button:text-is("Search again")');
    await assertMoves(page, '--pattern', 'Qh5');
    assert(await page.isHidden('.searching'));
  }),
);
