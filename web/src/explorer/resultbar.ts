/** A bar of results: won by White, drawn, won by Black. */

import { h } from '../dom.ts';
import { games, percent } from '../format.ts';
import type { ByResult, Counted } from '../types.ts';

/** A part narrower than this has no room for its percentage. */
const MIN_LABEL = 0.14;

export const total = ({ white, draws, black }: ByResult): number => white + draws + black;

/** Results of fewer games say little. */
export const FEW = 10;

const RESULTS: Readonly<Record<string, keyof ByResult>> = {
  '1-0': 'white',
  '1/2-1/2': 'draws',
  '0-1': 'black',
};

/** The results of each value of the first key of a count by two, of which the second is the result. */
export function byValue({ rows }: Counted): [value: string | number, results: ByResult][] {
  const values = new Map<string | number, ByResult>();
  for (const [value, result, games] of rows) {
    const side = RESULTS[String(result)];
    if (value === null || value === undefined || !side) continue;
    const results = values.get(value) ?? { white: 0, draws: 0, black: 0 };
    results[side] += Number(games);
    values.set(value, results);
  }
  return [...values];
}

export function resultBar(counts: ByResult): HTMLElement {
  const { white, draws, black } = counts;
  const all = total(counts);
  const part = (side: string, n: number): HTMLElement | null =>
    n === 0
      ? null
      : h(
          'span',
          { class: `part ${side}`, style: { 'flex-grow': String(n / all) } },
          n / all >= MIN_LABEL && `${Math.round((100 * n) / all)}%`,
        );
  const few = all < FEW;
  const words = `White ${percent(white, all)}, draws ${percent(draws, all)}, Black ${percent(black, all)}`;
  return h(
    'span',
    {
      class: few ? 'result-bar few' : 'result-bar',
      role: 'img',
      'aria-label': words,
      title: few ? `Only ${games(all)}: ${words}` : words,
    },
    part('white', white),
    part('draws', draws),
    part('black', black),
  );
}
