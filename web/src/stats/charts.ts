/** Charts of bars as HTML, so that their text keeps its size on narrow screens. Each has its data as words. */

import { type Child, h } from '../dom.ts';
import { count } from '../format.ts';

export interface Bar {
  label: string;
  value: number;
  /** What the bar says, for its tooltip. */
  text: string;
}

/** Vertical bars of equal width over an axis; `ticks` labels are spread over the width. */
export function columns(
  bars: readonly Bar[],
  summary: string,
  ticks: readonly string[],
  value: (n: number) => string = count,
): HTMLElement {
  const most = Math.max(...bars.map((bar) => bar.value), Number.MIN_VALUE);
  return h(
    'div',
    { class: 'chart' },
    h('span', { class: 'chart-top quiet' }, value(most)),
    h(
      'div',
      { class: 'columns', role: 'img', 'aria-label': summary },
      bars.map((bar) =>
        h(
          'span',
          { class: 'column', title: bar.text },
          h('span', { style: { height: `${(100 * bar.value) / most}%` } }),
        ),
      ),
    ),
    h(
      'div',
      { class: 'ticks quiet', 'aria-hidden': 'true' },
      ticks.map((tick) => h('span', {}, tick)),
    ),
  );
}

/** Horizontal bars, one a row, with their label and value in words. */
export function rows(bars: readonly Bar[], caption: string): HTMLElement {
  const most = Math.max(...bars.map((bar) => bar.value), 1);
  return h(
    'table',
    { class: 'bars' },
    h('caption', { class: 'hidden' }, caption),
    h(
      'tbody',
      {},
      bars.map((bar) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, bar.label),
          h(
            'td',
            { class: 'bar' },
            h('span', { style: { width: `${Math.max(0.5, (100 * bar.value) / most)}%` } }),
          ),
          h('td', { class: 'number' }, bar.text),
        ),
      ),
    ),
  );
}

/** A titled part of the page of statistics. */
export const card = (title: string, note: string | null, ...content: Child[]): HTMLElement =>
  h(
    'section',
    { class: 'card' },
    h('h2', {}, title),
    note !== null && h('p', { class: 'quiet' }, note),
    content,
  );
