/** Charts of bars as HTML, so that their text keeps its size on narrow screens. Each has its data as words. */

import { type Child, h } from '../dom.ts';
import { count } from '../format.ts';

export interface Bar {
  label: string;
  value: number;
  /** The value in words: the tooltip of a column, the last cell of a row. */
  text: string;
  /** What a click on the column does. */
  action?: () => void;
}

/** A label of the axis, at a share of its width from the left. */
export interface Tick {
  at: number;
  label: string;
}

/** Round numbers for an axis: at most five. */
export function ticks(first: number, last: number): Tick[] {
  const span = last - first;
  if (span <= 0) return [];
  const unit = 10 ** Math.floor(Math.log10(span / 5));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((n) => span / n <= 5) ?? span;
  const list: Tick[] = [];
  for (let value = Math.ceil(first / step) * step; value <= last; value += step) {
    list.push({ at: (value - first) / span, label: String(value) });
  }
  return list;
}

/** More bars than this have no lines between them. */
const MOST_SPACED = 60;

/** Vertical bars of equal width over an axis. */
export function columns(
  bars: readonly Bar[],
  summary: string,
  axis: readonly Tick[],
  value: (n: number) => string = count,
): HTMLElement {
  const most = Math.max(...bars.map((bar) => bar.value), Number.MIN_VALUE);
  return h(
    'div',
    {},
    h('span', { class: 'chart-top quiet' }, value(most)),
    h(
      'div',
      {
        class: bars.length > MOST_SPACED ? 'columns' : 'columns spaced',
        role: 'img',
        'aria-label': summary,
      },
      bars.map((bar) =>
        h(
          'span',
          {
            class: bar.action ? 'column active' : 'column',
            title: bar.text,
            on: bar.action ? { click: bar.action } : {},
          },
          h('span', { style: { height: `${(100 * bar.value) / most}%` } }),
        ),
      ),
    ),
    h(
      'div',
      { class: 'ticks quiet', 'aria-hidden': 'true' },
      axis.map(({ at, label }) =>
        h('span', { style: { left: `${100 * at}%`, transform: `translateX(${-100 * at}%)` } }, label),
      ),
    ),
  );
}

/** A table with a bar in each row, between what it is of and its value. */
export const barTable = (
  caption: string,
  entries: readonly (readonly [label: Child, bar: Child, value: string])[],
  classes = 'bars',
): HTMLElement =>
  h(
    'table',
    { class: classes },
    h('caption', { class: 'hidden' }, caption),
    h(
      'tbody',
      {},
      entries.map(([label, bar, value]) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, label),
          h('td', { class: 'bar' }, bar),
          h('td', { class: 'number' }, value),
        ),
      ),
    ),
  );

/** Horizontal bars, one a row, with their label and value in words. */
export function rows(bars: readonly Bar[], caption: string): HTMLElement {
  const most = Math.max(...bars.map((bar) => bar.value), 1);
  return barTable(
    caption,
    bars.map(({ label, value, text }) => [
      label,
      h('span', { style: { width: `${(100 * value) / most}%` } }),
      text,
    ]),
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
