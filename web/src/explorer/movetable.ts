/**
 * The moves played from the position, most played first: games, share, results, ratings, performance. A row is
 * a link to the position after its move.
 */

import { button, h } from '../dom.ts';
import { count, percent, rating } from '../format.ts';
import type { Explored, ExplorerMove } from '../types.ts';
import { resultBar, total } from './resultbar.ts';

/** Rare moves after these are shown on request. */
const SHOWN = 12;

export interface MoveTableEvents {
  /** Address of the position after the move. */
  href(move: ExplorerMove): string;
  /** The pointer or the focus is on a move, or on none. */
  hint(uci: string | null): void;
}

export function moveTable(answer: Explored, number: string, events: MoveTableEvents): HTMLElement[] {
  const all = total(answer);
  const rows = answer.moves.map((move) => row(move, all, events));
  if (rows.length > SHOWN + 2) for (const rest of rows.slice(SHOWN)) rest.classList.add('rest');
  const table = h(
    'table',
    { class: 'moves', on: { mouseleave: () => events.hint(null) } },
    h('caption', { class: 'hidden' }, 'Moves played from this position'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, number),
        h('th', { scope: 'col', class: 'number' }, 'Games'),
        h('th', { scope: 'col', class: 'number share' }, 'Share'),
        h('th', { scope: 'col', class: 'bar' }, 'White / draw / Black'),
        h('th', { scope: 'col', class: 'number', title: 'Mean rating of both players' }, 'Rating'),
        h(
          'th',
          { scope: 'col', class: 'number performance', title: 'Performance of the side that moves' },
          'Perf.',
        ),
        h('th', { scope: 'col', class: 'last' }, 'Last'),
      ),
    ),
    h('tbody', {}, rows),
    h(
      'tfoot',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'row', title: 'All games through this position' }, 'Σ'),
        h('td', { class: 'number' }, count(all)),
        h('td', { class: 'number share' }, '100%'),
        h('td', { class: 'bar' }, all > 0 && resultBar(answer)),
        h('td', { class: 'number' }, rating(answer.averageRating)),
        h('td', { class: 'number performance' }, rating(answer.performance)),
        h('td', { class: 'last' }),
      ),
    ),
  );
  if (rows.length <= SHOWN + 2) return [table];
  const more = button(
    `${rows.length - SHOWN} more moves`,
    () => {
      table.classList.add('all');
      more.remove();
    },
    { class: 'more-moves' },
  );
  return [table, more];
}

function row(move: ExplorerMove, all: number, events: MoveTableEvents): HTMLTableRowElement {
  const games = total(move);
  const anchor = h(
    'a',
    {
      href: events.href(move),
      class: 'move',
      'data-uci': move.uci,
      title: move.opening ? `${move.opening.eco} ${move.opening.name}` : null,
      on: { focus: () => events.hint(move.uci), blur: () => events.hint(null) },
    },
    move.san,
  );
  return h(
    'tr',
    {
      on: {
        mouseenter: () => events.hint(move.uci),
        click: (event: MouseEvent) => {
          if (event.target instanceof Element && !event.target.closest('a')) anchor.click();
        },
      },
    },
    h('th', { scope: 'row' }, anchor),
    h('td', { class: 'number' }, count(games)),
    h('td', { class: 'number share' }, percent(games, all)),
    h('td', { class: 'bar' }, resultBar(move)),
    h('td', { class: 'number' }, rating(move.averageRating)),
    h('td', { class: 'number performance' }, rating(move.performance)),
    h('td', { class: 'last' }, move.lastPlayed ?? ''),
  );
}

/** Moves the focus between the moves of the table: down and up from wherever it is. */
export function focusMove(table: ParentNode, step: 1 | -1): void {
  const moves = [...table.querySelectorAll<HTMLElement>('table.moves a.move')].filter(
    (move) => move.offsetParent !== null,
  );
  const at = moves.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : moves.length - 1) : (at + step + moves.length) % moves.length;
  moves[next]?.focus();
}
