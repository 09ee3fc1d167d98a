/** A browser for the tests, and the output of the command ign for the same archives. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Explored } from '../src/types.ts';

/** The page: that of `ign serve`, or of a site on a static server. */
export const BASE = process.env.IGN_URL ?? '';
/** Why a test of what only a server does is skipped; false if there is one. */
export const NEEDS_SERVER = process.env.IGN_SITE === '1' && 'a site has no server';
/** The HTTP interface of the same archives. */
export const SERVER = process.env.IGN_SERVER ?? '';
/** Searches of positions without an index take seconds on a machine that is busy. */
const TIMEOUT_MS = 40_000;

const ARCHIVES = (process.env.IGN_ARCHIVES ?? '').split(':');

/** Runs ign over all archives that are served. Finding nothing is no error. */
export function ign(command: string, ...options: string[]): string {
  try {
    return execFileSync(process.env.IGN ?? 'ign', [command, ...ARCHIVES, ...options, '-q'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    if (status === 1) return stdout;
    throw error;
  }
}

export const tree = (...options: string[]): Explored =>
  JSON.parse(ign('tree', '--json', '--moves', '250', ...options)) as Explored;

export const countGames = (...options: string[]): number =>
  Number(ign('find', '--count', ...options).trim() || '0');

/** A count with separators, as the page writes it. */
export const grouped = (n: number): string => new Intl.NumberFormat('en').format(n);

export interface Visit {
  /** What may be written to the console. */
  errors?: RegExp;
  /** The address of another page. */
  base?: string;
  /** Hosts that it may send requests to. */
  others?: string[];
}

class Visitor {
  private browser: Browser | null = null;

  async start(): Promise<void> {
    this.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? 'chromium',
      // Containers often run as root and have little shared memory.
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
    });
  }

  async stop(): Promise<void> {
    await this.browser?.close();
  }

  /**
   * Opens the page at an address, runs a test, and checks that nothing was written to the console and nothing
   * was requested from another host.
   */
  async visit(
    query: string,
    test: (page: Page) => Promise<void>,
    options: BrowserContextOptions & Visit = {},
  ): Promise<void> {
    const { errors, base = BASE, others = [], ...context } = options;
    assert(this.browser);
    const session = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
    const page = await session.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const problems: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !errors?.test(message.text()))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (![base, ...others].some((host) => request.url().startsWith(host)))
        problems.push(`request to ${request.url()}`);
    });
    try {
      await page.goto(`${base}/${query}`);
      await settled(page);
      await painted(page);
      await test(page);
      assert.deepEqual(problems, []);
    } finally {
      await session.close();
    }
  }
}

/** Waits until the page is painted: Chromium drops keys and clicks before that. */
const painted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );

/** Starts a browser ahead of the tests of a file, ends it after them, and returns how to visit the page. */
export function openVisits(): Visitor['visit'] {
  const visitor = new Visitor();
  before(() => visitor.start());
  after(() => visitor.stop());
  return (...args) => visitor.visit(...args);
}

/** Opens the form of all conditions. On a narrow screen its button is folded away. */
export async function openForm(page: Page): Promise<void> {
  if ((await page.isVisible('.unfold')) && (await page.isHidden('.opener'))) await page.click('.unfold');
  await page.click('.opener');
}

/** The text of the file that a click downloads. */
export async function downloaded(page: Page, link: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(link)]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Drops a file with a text on the page. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    [name, text] as const,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

/** Waits until no answer is awaited. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('main h1', { state: 'attached' });
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null, null, {
    timeout: TIMEOUT_MS,
  });
}

export interface Row {
  san: string;
  games: string;
  bar: string;
}

/** The rows of the move table, also those that are folded away. */
export const rows = (page: Page): Promise<Row[]> =>
  page.$$eval('table.moves tbody tr', (list) =>
    list.map((row) => ({
      san: row.querySelector('a.move')?.textContent ?? '',
      games: row.querySelector('td.number')?.textContent ?? '',
      bar: row.querySelector('.result-bar')?.getAttribute('aria-label') ?? '',
    })),
  );

const share = (part: number, all: number): string => {
  const percent = (100 * part) / all;
  return `${percent.toFixed(percent > 0 && percent < 9.95 ? 1 : 0)}%`;
};

/** The rows that the table must have for an answer of ign tree. */
export const expectedRows = (answer: Explored): Row[] =>
  answer.moves.map(({ san, white, draws, black }) => {
    const all = white + draws + black;
    return {
      san,
      games: grouped(all),
      bar: `White ${share(white, all)}, draws ${share(draws, all)}, Black ${share(black, all)}`,
    };
  });

/** Rows in an order that does not depend on moves that were played equally often. */
export const sorted = (list: Row[]): Row[] => [...list].sort((a, b) => (a.san < b.san ? -1 : 1));

export async function assertMoves(page: Page, ...options: string[]): Promise<void> {
  await settled(page);
  assert.deepEqual(sorted(await rows(page)), sorted(expectedRows(tree(...options))));
}

/** Clicks a square of the board, White at the bottom. */
export async function clickSquare(page: Page, square: string): Promise<void> {
  const box = await page.locator('cg-board').boundingBox();
  assert(box);
  const file = square.charCodeAt(0) - 'a'.charCodeAt(0);
  const rank = Number(square[1]) - 1;
  const size = box.width / 8;
  await page.mouse.click(box.x + (file + 0.5) * size, box.y + (7.5 - rank) * size);
}

export async function playOnBoard(page: Page, from: string, to: string): Promise<void> {
  await clickSquare(page, from);
  await clickSquare(page, to);
}

/** Plays a move by two clicks, and waits until the page has it: the board reports moves a moment later. */
export async function playMove(page: Page, from: string, to: string): Promise<void> {
  const before = page.url();
  await playOnBoard(page, from, to);
  await page.waitForURL((url) => url.href !== before);
}

/** The position that the board shows. */
export const boardFen = (page: Page): Promise<string> =>
  page.$eval('.cg-wrap', (board) => (board.getAttribute('aria-label') ?? '').split(': ')[1] ?? '');
