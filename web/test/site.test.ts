/** Does a site answer as the command does, with few requests, and does it say what is wrong with a server or a file? */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { Explored } from '../src/types.ts';
import { BASE, openVisits, rows, SERVER, settled } from './browser.ts';
import { type Behaviour, LINE, type StaticServer, serveFolder } from './static.ts';

const visit = openVisits();

const SITE = process.env.IGN_SITE_FOLDER ?? '';
const PROGRAM = process.env.IGN ?? 'ign';
const [SAMPLE = ''] = (process.env.IGN_ARCHIVES ?? '').split(':');

const run = (...args: string[]): string =>
  execFileSync(PROGRAM, [...args, '-q'], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** A folder for the files of these tests. */
let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ign-site-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test with a server of its own. */
async function served(
  behaviour: Partial<Behaviour>,
  body: (server: StaticServer) => Promise<void>,
  site = SITE,
): Promise<void> {
  const server = await serveFolder(site, behaviour);
  try {
    await body(server);
  } finally {
    server.close();
  }
}

const message = (page: Page): Promise<string> => page.locator('.tree .message').innerText();

/** What browsers write to the console for answers that are no success. */
const FAILED = /Failed to load resource|CORS|ERR_/;

// Servers

test('a server that does not send parts of files is named, with what to do', () =>
  served({ ranges: false }, async (server) => {
    await visit(
      '',
      async (page) => assert.match(await message(page), /does not send parts of a file.*nginx/),
      {
        base: server.address,
      },
    );
    const whole = readFileSync(SAMPLE).length;
    assert(server.other < 40 * whole, 'whole files are not loaded again and again');
  }));

for (const [status, words] of [
  [404, /has no file \w+\.ign.* at this address \(status 404\).*Check the address/],
  [403, /has no file \w+\.ign.* \(status 403\)/],
  [503, /refused to send \w+\.ign.* \(status 503\)/],
] as const) {
  test(`status ${status} of an archive is explained`, () =>
    served({ status }, (server) =>
      visit('', async (page) => assert.match(await message(page), words), {
        base: server.address,
        errors: FAILED,
      }),
    ));
}

test('a connection that is cut twice is not noticed; one that is always cut is reported', async () => {
  await served({ cuts: 2 }, (server) =>
    visit('', async (page) => assert((await rows(page)).length > 10), {
      base: server.address,
      errors: FAILED,
    }),
  );
  await served({ cuts: 1000 }, (server) =>
    visit('', async (page) => assert.match(await message(page), /was cut several times.*Try again/), {
      base: server.address,
      errors: FAILED,
    }),
  );
});

test('after a cut connection the same page goes on', () =>
  served({ cuts: 1000 }, (server) =>
    visit(
      '',
      async (page) => {
        server.behaviour.cuts = 0;
        await page.click('.tree button:has-text("Try again")');
        await settled(page);
        assert((await rows(page)).length > 10);
      },
      { base: server.address, errors: FAILED },
    ),
  ));

/** Shows another state of the page. */
const goto = (page: Page, query: string): Promise<void> =>
  page.evaluate((url) => {
    history.pushState(null, '', url);
    dispatchEvent(new PopStateEvent('popstate'));
  }, query);

/** The page, with the archives open but no game read. */
const OPEN = '?view=editor';

test('a computer that is offline gets its sentence', () =>
  served({}, (server) =>
    visit(
      OPEN,
      async (page) => {
        await page.waitForSelector('.sources select');
        await page.context().setOffline(true);
        await goto(page, '?game=2500');
        await page.waitForSelector('.message:has-text("offline")');
      },
      { base: server.address, errors: FAILED },
    ),
  ));

test('an archive at another address is read if its server allows it', async () => {
  for (const cors of ['bare', 'exposed', 'none'] as const) {
    await served({ cors }, (server) =>
      visit(
        `?archive=${server.address}/sample.ign`,
        async (page) => {
          if (cors === 'none')
            assert.match(
              await message(page),
              /does not let pages of other servers read sample\.ign.*download/i,
            );
          else {
            assert((await rows(page)).length > 10);
            assert.match(await page.innerText('.sources'), /^sample ·/);
            // The address goes with all links.
            await page.click('table.moves a.move');
            await settled(page);
            assert.match(page.url(), /archive=http/);
          }
        },
        { others: [server.address], errors: FAILED },
      ),
    );
  }
});

test('an address that nothing answers is reported', async () => {
  const wrong = 'http://127.0.0.1:9/games.ign';
  await visit(
    `?archive=${wrong}`,
    async (page) => assert.match(await message(page), /127\.0\.0\.1:9 does not answer/),
    { others: [wrong], errors: FAILED },
  );
  await visit('?archive=http://[', async (page) =>
    assert.match(await page.innerText('main'), /is not an address/),
  );
});

test('opened as a file the page says how to serve it', async () => {
  const page = pathToFileURL(join(SITE, 'index.html')).href;
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? 'chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    assert.match(await tab.innerText('body'), /needs a web server.*range requests.*ign serve/s);
  } finally {
    await browser.close();
  }
});

// Files

/** A copy of a site of one archive, with an archive and an index that a function changed. */
function changedSite(name: string, change: (archive: Buffer, index: Buffer) => void): string {
  const site = join(folder, name);
  run('site', SAMPLE, '-o', site);
  const paths = [join(site, 'sample.ign'), join(site, 'sample.ign.idx')] as const;
  const [archive, index] = [readFileSync(paths[0]), readFileSync(paths[1])];
  change(archive, index);
  writeFileSync(paths[0], archive);
  writeFileSync(paths[1], index);
  // The page of the program may be older than the one that is tested.
  for (const file of ['app.js', 'worker.js', 'ign_web.js', 'ign_web.wasm.gz'])
    copyFileSync(join(dirname(SITE), 'site', file), join(site, file));
  return site;
}

test('a file that is replaced while the page reads it is noticed', async () => {
  const [text, archive] = [join(folder, 'blocks.pgn'), join(folder, 'blocks.ign')];
  run('unpack', SAMPLE, '-o', text);
  // Longer than what is read at once.
  writeFileSync(text, readFileSync(text, 'utf8').repeat(8));
  run('pack', text, '--coding', 'ign', '--block-size', '64K', '-o', archive);
  const site = join(folder, 'site-blocks');
  run('site', archive, '-o', site);
  await served(
    {},
    (server) =>
      visit(
        '?game=1',
        async (page) => {
          await page.waitForSelector('.move-list:not(:empty)');
          server.behaviour.version = 'b';
          await goto(page, '?game=12500');
          await page.waitForSelector('.message:has-text("was replaced on")');
          assert.match(await page.innerText('.message'), /Reload the page/);
        },
        { base: server.address },
      ),
    site,
  );
});

test('an archive without its end is reported as damaged', async () => {
  const site = changedSite('damaged', (archive) => archive.fill(0, archive.length - 4096));
  await served(
    {},
    (server) =>
      visit('', async (page) => assert.match(await message(page), /^sample\.ign: .*cut off or overwritten/), {
        base: server.address,
        errors: FAILED,
      }),
    site,
  );
});

test('damaged games are reported, and the others are shown', async () => {
  const site = changedSite('block', (archive) => archive.fill(0, 20_000, 60_000));
  await served(
    {},
    (server) =>
      visit(
        '?game=1',
        async (page) => assert.match(await page.innerText('.message'), /damaged|corrupt|checksum/i),
        {
          base: server.address,
          errors: FAILED,
        },
      ),
    site,
  );
});

test('the index of another archive is not used, and the answers are the same', async () => {
  const other = join(folder, 'other.pgn');
  run('sample', '--games', '500', '--seed', '9', '-o', other);
  run('pack', other, '-o', join(folder, 'other.ign'));
  run('index', join(folder, 'other.ign'));
  const foreign = readFileSync(join(folder, 'other.ign.idx'));
  const site = changedSite('foreign', () => undefined);
  writeFileSync(join(site, 'sample.ign.idx'), foreign);
  const list = JSON.parse(readFileSync(join(site, 'site.json'), 'utf8'));
  list.archives[0].index_bytes = foreign.length;
  writeFileSync(join(site, 'site.json'), JSON.stringify(list));
  await served(
    {},
    (server) =>
      visit(
        '?play=e2e4',
        async (page) => {
          assert.match(
            await page.innerText('footer'),
            /the search index of sample is not used: .*another archive/,
          );
          assert((await rows(page)).length > 5);
        },
        { base: server.address },
      ),
    site,
  );
});

test('without its index an archive is searched, and the footer says so', async () => {
  const site = changedSite('no-index', () => undefined);
  rmSync(join(site, 'sample.ign.idx'));
  await served(
    {},
    (server) =>
      visit(
        '?play=e2e4',
        async (page) => {
          assert.ok((await rows(page)).length > 5);
          assert.match(
            await page.innerText('footer'),
            /without a search index positions take longer to find/,
          );
        },
        { base: server.address, errors: /status of 404/ },
      ),
    site,
  );
});

test('an index that is damaged is not used, and the footer says so', async () => {
  const site = changedSite('damaged-index', (_, index) => index.fill(0, 4096, index.length - 4096));
  await served(
    {},
    (server) =>
      visit(
        '?play=e2e4',
        async (page) => {
          await page.waitForSelector('footer:has-text("the search index of sample is not used")');
          assert.match(
            await page.innerText('footer'),
            /the search index of sample is not used: no section frame where one is expected/,
          );
          assert.ok((await rows(page)).length > 5);
        },
        { base: server.address },
      ),
    site,
  );
});

// Answers

/** Answers of the worker of a page to requests, one after another. */
const answers = (page: Page, urls: readonly string[]): Promise<unknown[]> =>
  page.evaluate(async (list) => {
    const site = await (await fetch('site.json')).json();
    const worker = new Worker('worker.js', { type: 'module' });
    const at = (file: string): string => new URL(file, document.baseURI).href;
    const open = site.archives.map((archive: Record<string, string | number>) => ({
      name: archive.name,
      archive: { url: at(String(archive.file)), length: archive.bytes },
      index: { url: at(`${archive.file}.idx`), length: archive.index_bytes },
    }));
    worker.postMessage({ open });
    const out: unknown[] = [];
    for (const [ask, url] of list.entries()) {
      out.push(
        await new Promise((done) => {
          worker.onmessage = ({ data }) => {
            if (data.to !== ask) return;
            done('problem' in data ? data.problem : JSON.parse(new TextDecoder().decode(data.body)));
          };
          worker.postMessage({ ask, url });
        }),
      );
    }
    worker.terminate();
    return out;
  }, urls);

/** Numbers below a bound that look random, and are the same in each run. */
function random(seed: number): (bound: number) => number {
  let x = seed;
  return (bound) => {
    x = (x * 1103515245 + 12345) % 2147483648;
    return Math.floor((x / 2147483648) * bound);
  };
}

/** Positions of the games, and conditions, as parameters and as options of `ign tree`. */
async function questions(count: number): Promise<{ parameters: URLSearchParams; options: string[] }[]> {
  const below = random(7);
  const conditions = [
    [],
    [],
    ['speed', 'blitz'],
    ['white_elo', '1800..'],
    ['result', '1-0'],
    ['eco', 'B00..C99'],
    ['date', '2013-01'],
    ['plies', '..60'],
  ];
  const out = [];
  for (let i = 0; i < count; i += 1) {
    const game = (await (await fetch(`${SERVER}/api/game/${1 + below(3000)}`)).json()) as {
      moves: { uci: string; san: string }[];
    };
    const play = game.moves.slice(0, below(Math.min(24, game.moves.length + 1)));
    const [name, value] = conditions[below(conditions.length)] ?? [];
    const parameters = new URLSearchParams({ moves: '250', topGames: '0', recentGames: '0' });
    const options: string[] = [];
    if (play.length > 0) {
      parameters.set('play', play.map(({ uci }) => uci).join());
      options.push('--opening', play.map(({ san }) => san).join(' '));
    }
    if (name && value) {
      parameters.set(name, value);
      options.push(`--${name.replaceAll('_', '-')}`, value);
    }
    out.push({ parameters, options });
  }
  return out;
}

/** What `ign tree` prints; also if it finds nothing, which is its exit status 1. */
function treeOf(archive: string, options: string[]): Explored {
  try {
    return JSON.parse(run('tree', archive, '--json', '--moves', '250', ...options));
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout);
  }
}

const counts = ({ white, draws, black, moves }: Explored): unknown => ({
  white,
  draws,
  black,
  moves: moves
    .map((move) => [move.uci, move.white, move.draws, move.black])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
});

for (const [coding, count] of [
  ['ign', 200],
  ['weighted', 100],
] as const) {
  test(`positions and conditions have the counts of ign tree, coding ${coding}`, async () => {
    const archive = join(folder, `${coding}.ign`);
    run('transcode', SAMPLE, '--coding', coding, '-o', archive);
    run('index', archive);
    const site = join(folder, `site-${coding}`);
    run('site', archive, '-o', site);
    for (const file of ['app.js', 'worker.js', 'ign_web.js', 'ign_web.wasm.gz'])
      copyFileSync(join(SITE, file), join(site, file));
    const asked = await questions(count);
    await served(
      {},
      (server) =>
        visit(
          '',
          async (page) => {
            const found = await answers(
              page,
              asked.map(({ parameters }) => `/lichess?${parameters}`),
            );
            for (const [i, { options }] of asked.entries()) {
              assert.deepEqual(
                counts(found[i] as Explored),
                counts(treeOf(archive, options)),
                options.join(' '),
              );
            }
          },
          { base: server.address },
        ),
      site,
    );
  });
}

// Traffic

/** Follows the most played move `clicks` times, and returns to the start when the line ends. */
async function follow(page: Page, clicks: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < clicks; i += 1) {
    if ((await rows(page)).length === 0) await page.goto(page.url().replace(/\?.*/, ''));
    await settled(page);
    const start = performance.now();
    await page.click('table.moves a.move');
    await settled(page);
    times.push(performance.now() - start);
  }
  return times;
}

test('twenty moves read little of the archive, in few requests', () =>
  served({}, (server) =>
    visit(
      '',
      async (page) => {
        assert(server.parts.requests > 0);
        await follow(page, 20);
        const { requests, bytes } = server.parts;
        assert(requests <= 300, `${requests} requests`);
        assert(bytes <= 4e6, `${bytes} bytes`);
      },
      { base: server.address },
    ),
  ));

test('on a slow line the page is seen before the games are read', () =>
  served(LINE, (server) =>
    visit(
      '',
      async (page) => {
        const paint = await page.evaluate(
          () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        );
        const module = await page.evaluate(
          () => performance.getEntriesByType('navigation')[0]?.toJSON().domInteractive as number,
        );
        assert(paint < 3000, `${paint} ms, ${module} ms`);
        assert((await rows(page)).length > 10);
      },
      { base: server.address },
    ),
  ));

test('a phone shows a site without scrolling sideways', () =>
  visit(
    '?play=e2e4',
    async (page) => {
      const [width, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert(width <= seen, `${width} of ${seen}`);
      assert.equal(page.url().startsWith(BASE), true);
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  ));
