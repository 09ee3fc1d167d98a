/** The form of conditions keeps every value of every condition that the server documents. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForm, openVisits, SERVER, settled } from './browser.ts';

const visit = openVisits();

interface Condition {
  name: string;
  form: string;
  choices: string[];
  repeatable: boolean;
  help: string;
  example: string;
}

/** Values of each kind that the help of the conditions describes. */
const VALUES: Record<string, string[]> = {
  numbers: ['1000', '1000..1200', '1000..', '..1200', '1000..1200,2200..'],
  dates: ['2013', '2013-01', '2013-01-05', '2013..', '..2014-02', '2013-01..2013-02,2015'],
  codes: ['B20', 'B20..B99', 'B20,C00', 'B20..B99,C00'],
  flag: ['true', 'false'],
  pattern: ['Carlsen*', '*', 'ü "x", y;z', 'a  b'],
};

/** The words of a list in the help, as `white, black, draw, unknown;`. */
const listed = ({ help }: Condition): string[] =>
  (/: (.*); several with commas/.exec(help)?.[1] ?? '').split(', ').filter((word) => word !== '');

function valuesOf(condition: Condition): string[] {
  const { form, choices, example } = condition;
  const words = form === 'choices' ? [...new Set([...choices, ...listed(condition)])] : [];
  const several = words.length > 1 ? [words.join(','), words.slice(0, 2).join(',').toUpperCase()] : [];
  return [...new Set([example, ...(VALUES[form] ?? []), ...words, ...several])];
}

test('every documented value survives the way from the address to the form and back', async () => {
  const response = await fetch(`${SERVER}/api/conditions`);
  const { conditions } = (await response.json()) as { conditions: Condition[] };
  assert(conditions.length >= 40);
  const values = new Map(conditions.map((condition) => [condition.name, valuesOf(condition)]));
  for (const word of ['draw', 'white', 'black', 'unknown', '1/2-1/2'])
    assert(values.get('result')?.includes(word));
  const rounds = Math.max(...[...values.values()].map((list) => list.length));
  for (let round = 0; round < rounds; round++) {
    const query = new URLSearchParams();
    for (const { name, repeatable } of conditions) {
      const list = values.get(name) ?? [];
      query.append(name, list[round % list.length] ?? '');
      if (repeatable) query.append(name, list[(round + 1) % list.length] ?? '');
    }
    // The conditions contradict each other; the form does not mind.
    await visit(
      `?${query}`,
      async (page) => {
        if (await page.locator('.filters').isHidden()) await openForm(page);
        const shown = await page.$$eval('.filters .field', (fields) =>
          fields.map((field) => {
            const controls = [
              ...field.querySelectorAll<HTMLInputElement>('.inputs :is(input, textarea, select)'),
            ];
            const used = controls.filter((control) => control.type !== 'checkbox' || control.checked);
            return used.map((control) => control.value);
          }),
        );
        conditions.forEach(({ name, form }, i) => {
          const written = query.getAll(name);
          const value = written[0] ?? '';
          if (form === 'choices')
            assert.deepEqual(
              (shown[i] ?? []).map((word) => word.toLowerCase()).sort(),
              value.toLowerCase().split(',').sort(),
              name,
            );
          else if (form === 'flag') assert.deepEqual(shown[i], [value], name);
          else if (shown[i]?.length === 1) assert.equal(shown[i]?.[0], written.join('\n'), name);
        });
        // A change of one field leaves the others as they are.
        await page.fill('#filter-site', `round ${round}`);
        query.set('site', `round ${round}`);
        await page.click('.filters button[type="submit"]');
        await settled(page);
        const found = new URL(page.url()).searchParams;
        for (const { name } of conditions) assert.deepEqual(found.getAll(name), query.getAll(name), name);
      },
      { errors: /status of 4/ },
    );
  }
});

test('the form speaks of fields, not of the command', () =>
  visit('', async (page) => {
    await openForm(page);
    const hints = await page.locator('.filters .hint').allInnerTexts();
    assert(hints.length >= 40);
    for (const hint of hints)
      assert.doesNotMatch(hint, /--\w|\bign \w|\.\.2500|later=|repeatable|several with commas/);
    for (const title of await page.$$eval('[title]', (all) => all.map((one) => one.getAttribute('title'))))
      assert.doesNotMatch(title ?? '', /--\w|\bign \w/);
    assert.doesNotMatch(await page.innerText('footer'), /ign index/);
  }));

test('a condition that is false is shown as no, and can be changed', () =>
  visit('?has_evals=false&result=draw&elo=1000..1200,2200..', async (page) => {
    assert.match(await page.innerText('.chip:has-text("ratings")'), /1000 – 1200, 2200 –/);
    assert.match(await page.innerText('.chip:has-text("evaluations")'), /: no/);
    await openForm(page);
    assert.equal(await page.inputValue('#filter-has_evals'), 'false');
    assert(await page.isChecked('label:text-is("draw") input'));
    assert.equal(await page.inputValue('#filter-elo-from'), '1000..1200,2200..');
    await page.selectOption('#filter-has_evals', 'yes');
    await page.uncheck('label:text-is("draw") input');
    await page.check('label:text-is("1–0") input');
    await page.click('.filters button[type="submit"]');
    await settled(page);
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('has_evals'), searchParams.get('result')], ['true', '1-0']);
  }));

test('an error of a field is in sight, in the words of people', async () => {
  for (const query of [
    'white_elo=abc',
    'tag=White%3D(',
    'exclude=eco%3Dx',
    'material=K',
    'tag=White%3D%5Ba',
  ]) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 640 },
    ])
      await visit(
        `?${query}`,
        async (page) => {
          const seen = await page.$eval('.field:has([aria-invalid]) .error', (error) => {
            const box = error.getBoundingClientRect();
            const at = document.elementFromPoint(box.left + 5, box.bottom - 3);
            return { text: error.textContent ?? '', isOnTop: at === error };
          });
          assert(seen.isOnTop, `${query}: ${seen.text}`);
          assert.doesNotMatch(seen.text, /parse error|crate|Rust|\n/, query);
        },
        { viewport, errors: /status of 400/ },
      );
  }
});

test('fields that get the focus are not below the row of buttons', () =>
  visit(
    '',
    async (page) => {
      await openForm(page);
      for (let i = 0; i < 90; i++) {
        await page.keyboard.press('Tab');
        const covered = await page.evaluate(() => {
          const field = document.activeElement;
          if (!field?.closest('.filters .field')) return null;
          const box = field.getBoundingClientRect();
          const top = document.elementFromPoint(box.left + box.width / 2, box.bottom - 2);
          return top?.closest('.actions') ? field.id : null;
        });
        assert.equal(covered, null);
      }
    },
    { viewport: { width: 360, height: 640 } },
  ));
