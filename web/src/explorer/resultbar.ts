/** A bar of results: won by White, drawn, won by Black. */

import { h } from '../dom.ts';
import { percent } from '../format.ts';
import type { ByResult } from '../types.ts';

/** A part narrower than this has no room for its percentage. */
const MIN_LABEL = 0.14;

export function resultBar({ white, draws, black }: ByResult): HTMLElement {
  const total = white + draws + black;
  const part = (side: string, n: number): HTMLElement | null =>
    n === 0
      ? null
      : h(
          'span',
          { class: `part ${side}`, style: { 'flex-grow': String(n / total) } },
          n / total >= MIN_LABEL && `${Math.round((100 * n) / total)}%`,
        );
  const words = `White ${percent(white, total)}, draws ${percent(draws, total)}, Black ${percent(black, total)}`;
  return h(
    'span',
    { class: 'result-bar', role: 'img', 'aria-label': words, title: words },
    part('white', white),
    part('draws', draws),
    part('black', black),
  );
}

export const total = (counts: ByResult): number => counts.white + counts.draws + counts.black;
