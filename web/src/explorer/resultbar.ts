/** A bar of results: won by White, drawn, won by Black. */

import { h } from '../dom.ts';
import { percent } from '../format.ts';
import type { ByResult } from '../types.ts';

/** A part narrower than this has no room for its percentage. */
const MIN_LABEL = 0.14;

export const total = ({ white, draws, black }: ByResult): number => white + draws + black;

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
  const words = `White ${percent(white, all)}, draws ${percent(draws, all)}, Black ${percent(black, all)}`;
  return h(
    'span',
    { class: 'result-bar', role: 'img', 'aria-label': words, title: words },
    part('white', white),
    part('draws', draws),
    part('black', black),
  );
}
