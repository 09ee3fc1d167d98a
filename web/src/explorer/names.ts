/** Completion of names of players, from the index of the archives. */

import { address, Latest } from '../api.ts';
import { fill, h } from '../dom.ts';
import { games } from '../format.ts';

/** A name that follows its list of completions: with fewer letters there are too many. */
const LEAST_LETTERS = 2;

/** Lets a field offer the names that begin with what is typed. The list has to be in the document. */
export function completeNames(input: HTMLInputElement, source: () => string): HTMLElement {
  const list = h('datalist', { id: `${input.id}-names` });
  const request = new Latest();
  input.setAttribute('list', list.id);
  input.addEventListener('input', () => {
    const name = input.value.trim();
    if (name.length < LEAST_LETTERS) return;
    const parameters = new URLSearchParams({ name });
    if (source() !== '') parameters.set('source', source());
    request.run<{ names: { name: string; games: number }[] }>(
      address('api/names', parameters),
      ({ names }) =>
        fill(
          list,
          names.map((found) => h('option', { value: found.name }, games(found.games))),
        ),
      // Without completions the field is a field.
      () => fill(list),
    );
  });
  return list;
}
