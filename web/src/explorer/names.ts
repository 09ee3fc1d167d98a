/** Names of players: completed from the index of the archives, and offered where a name is no player's. */

import { address, get, Latest } from '../api.ts';
import { type Child, fill, h, own } from '../dom.ts';
import { games } from '../format.ts';
import type { GameList } from '../types.ts';

/** A name that follows its list of completions: with fewer letters there are too many. */
const LEAST_LETTERS = 2;
/** Names that are offered. */
const MOST_OFFERED = 8;

interface Named {
  name: string;
  games: number;
}

const namesAddress = (name: string, source: string): string => {
  const parameters = new URLSearchParams({ name });
  if (source !== '') parameters.set('source', source);
  return address('api/names', parameters);
};

/** Lets a field offer the names that begin with what is typed. The list has to be in the document. */
export function completeNames(input: HTMLInputElement, source: () => string): HTMLElement {
  const list = h('datalist', { id: `${input.id}-names` });
  const request = new Latest();
  input.setAttribute('list', list.id);
  input.addEventListener('input', () => {
    const name = input.value.trim();
    if (name.length < LEAST_LETTERS) return;
    request.run<{ names: Named[] }>(
      namesAddress(name, source()),
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

/** What names like one are looked up by, the nearest first: `Magnus Carlsn` is also `Carlsn*Magnus`, and `Carls`. */
function* likenesses(name: string): Iterable<string> {
  yield name;
  const words = name.split(/[\s,]+/).filter((word) => word !== '');
  const last = words.at(-1) ?? name;
  if (words.length > 1) {
    yield `${last}*${words[0]}`;
    yield last;
  }
  const least = Math.max(LEAST_LETTERS, name.length / 2);
  for (let fewer = 1; name.length - fewer >= least; fewer *= 2) yield name.slice(0, name.length - fewer);
}

/** Whether a condition on a name is one that only the whole name meets. */
export const isWholeName = (name: string): boolean => name !== '' && !name.includes('*');

/** Names that are near to one that no player has, and links to what they lead to. */
export class NameOffer {
  readonly element = h('div', { class: 'name-offer', role: 'status' });
  private asking = new AbortController();

  clear(): void {
    this.asking.abort();
    this.element.removeAttribute('aria-busy');
    fill(this.element);
  }

  /**
   * Whether a player has this name. If not, names that are near are offered. Null if another name was asked for in the
   * meantime.
   */
  async check(name: string, source: string, to: (name: string) => Child): Promise<boolean | null> {
    this.clear();
    if (!isWholeName(name)) return true;
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.element.setAttribute('aria-busy', 'true');
    try {
      const parameters = new URLSearchParams({ player: name, limit: '1' });
      if (source !== '') parameters.set('source', source);
      const { games } = await get<GameList>(address('api/games', parameters), signal);
      const isKnown = games.length > 0;
      if (!isKnown) await this.offer(name, source, signal, to);
      return signal.aborted ? null : isKnown;
    } catch {
      // The search itself reports what is wrong.
      return signal.aborted ? null : true;
    } finally {
      if (!signal.aborted) this.element.removeAttribute('aria-busy');
    }
  }

  private async offer(
    name: string,
    source: string,
    signal: AbortSignal,
    to: (name: string) => Child,
  ): Promise<void> {
    for (const text of likenesses(name)) {
      const { names } = await get<{ names: Named[] }>(namesAddress(text, source), signal);
      if (signal.aborted) return;
      if (names.length === 0) continue;
      const item = (found: Named): HTMLElement =>
        h('li', {}, to(found.name), h('span', { class: 'quiet' }, ` ${games(found.games)}`));
      fill(
        this.element,
        h(
          'p',
          {},
          'No player is called ',
          own(name),
          text === name ? '. Names that begin so:' : '. Similar names:',
        ),
        h('ul', { class: 'row' }, names.slice(0, MOST_OFFERED).map(item)),
      );
      return;
    }
    fill(this.element, h('p', {}, 'No player is called ', own(name), '.'));
  }
}
