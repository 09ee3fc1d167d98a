/** Are files of this computer explored and packed in the browser, without an upload? */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertMoves, countGames, downloaded, grouped, openVisits, rows, settled } from './browser.ts';

const visit = openVisits();

const PROGRAM = process.env.IGN ?? 'ign';
const ARCHIVES = (process.env.IGN_ARCHIVES ?? '').split(':');
const [SAMPLE = ''] = ARCHIVES;

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ign-local-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('an archive that is chosen is explored with its index', () =>
  visit('?play=d2d4', async (page) => {
    await page.keyboard.press('o');
    await page.setInputFiles('#open input[type=file]', [SAMPLE, `${SAMPLE}.idx`]);
    await page.waitForFunction(() => document.querySelector('.sources')?.textContent?.startsWith('sample ·'));
    await settled(page);
    assert.match(await page.innerText('footer'), /indexed$/);
    assert((await rows(page)).length > 10);
    await page.click('header >> text=Leave these files');
    await page.waitForSelector('.sources select');
    await assertMoves(page);
  }));

test('the back button leads from an archive that is chosen to those before it', () =>
  visit('?play=d2d4', async (page) => {
    await page.setInputFiles('#open input[type=file]', [SAMPLE, `${SAMPLE}.idx`]);
    await page.waitForSelector('header >> text=Leave these files');
    await settled(page);
    await page.click('table.moves a.move');
    await settled(page);
    await page.goBack();
    await settled(page);
    assert(await page.isVisible('header >> text=Leave these files'));
    await page.goBack();
    await page.waitForSelector('.sources select');
    await assertMoves(page, '--opening', '1. d4');
    assert.equal(new URL(page.url()).search, '?play=d2d4');
  }));

test('several archives are explored as one, without indexes', () =>
  visit('', async (page) => {
    await page.keyboard.press('o');
    await page.setInputFiles('#open input[type=file]', ARCHIVES);
    await page.waitForSelector('header >> text=Leave these files');
    await assertMoves(page);
    await page.waitForFunction(() =>
      document.querySelector('footer')?.textContent?.includes('without a search index'),
    );
    assert.match(
      await page.innerText('.sources'),
      new RegExp(`All archives · ${grouped(countGames())} games`),
    );
  }));

test('a file that is dropped on the page is opened', () =>
  visit('', async (page) => {
    const bytes = [...readFileSync(ARCHIVES[1] ?? '')];
    const data = await page.evaluateHandle((list) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(list)], 'mine.ign'));
      return transfer;
    }, bytes);
    await page.dispatchEvent('main', 'drop', { dataTransfer: data });
    await page.waitForFunction(() =>
      document.querySelector('.sources')?.textContent?.startsWith('mine · 3 games'),
    );
  }));

test('games are packed, downloaded as an archive, and explored', () =>
  visit('', async (page) => {
    const games = join(folder, 'games.pgn');
    execFileSync(PROGRAM, ['sample', '--games', '400', '--seed', '3', '-o', games, '-q']);
    await page.keyboard.press('o');
    await page.setInputFiles('#open input[type=file]', games);
    await page.click('button:text-is("Pack into an archive")');
    await page.waitForSelector('#open >> text=Download games.ign');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('#open >> text=Download games.ign'),
    ]);
    const packed = join(folder, 'games.ign');
    await download.saveAs(packed);
    const text = execFileSync(PROGRAM, ['unpack', packed, '-c', '-q'], { maxBuffer: 1 << 28 });
    assert(text.equals(readFileSync(games)), 'the text comes back');
    await page.click('#open button:text-is("Explore")');
    await page.waitForFunction(() =>
      document.querySelector('.sources')?.textContent?.startsWith('games · 400 games'),
    );
    await settled(page);
    // The text of the games, too.
    const list = await downloaded(page, '.games .download');
    assert.equal(list.match(/^\[White /gm)?.length, 400);
  }));

test('other files are refused in words', () =>
  visit('', async (page) => {
    const file = (name: string): string => {
      const path = join(folder, name);
      writeFileSync(path, 'x');
      return path;
    };
    await page.keyboard.press('o');
    for (const [files, words] of [
      [['a.txt'], /a\.txt is neither an archive \(\.ign\) nor games \(\.pgn\)/],
      [['a.ign.idx'], /choose the archive \(\.ign\) and its index together/],
      [['a.pgn.zst'], /a\.pgn\.zst is compressed/],
      [['a.pgn', 'b.pgn'], /one file of games/],
    ] as const) {
      await page.setInputFiles('#open input[type=file]', files.map(file));
      assert.match(await page.innerText('#open [role=alert]'), words);
    }
    await page.setInputFiles('#open input[type=file]', file('broken.ign'));
    await page.waitForSelector('.tree .message');
    assert.match(await page.innerText('.tree .message'), /not an ign archive|damaged|too short/i);
  }));
