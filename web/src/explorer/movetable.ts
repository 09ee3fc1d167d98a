/**
 * The moves played from the position, most played first: games, share, results, ratings, performance. A row is
 * a link to the position after its move.
 */

import { type Attributes, button, h, linkRow } from '../dom.ts';
import { count, percent, rating } from '../format.ts';
import type { ByResult, Explored, ExplorerMove } from '../types.ts';
import { resultBar, total } from './resultbar.ts';

/** Rare moves after these are shown on request. */
const SHOWN = 12;

export interface MoveTableEvents {
  /** A link to the position after the move. */
  link(move: ExplorerMove, attributes: Attributes): HTMLAnchorElement;
  /** The pointer or the focus is on a move, or on none. */
  hint(uci: string | null): void;
}

export function moveTable(answer: Explored, number: string, events: MoveTableEvents): HTMLElement[] {
  const all = total(answer);
  const rows = answer.moves.map((move) => row(move, all, events));
  const hidden = rows.length > SHOWN + 2 ? rows.slice(SHOWN) : [];
  for (const rest of hidden) rest.classList.add('rest');
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
        cells(answer, '100%'),
      ),
    ),
  );
  if (hidden.length === 0) return [table];
  const more = button(
    `${hidden.length} more moves`,
    () => {
      table.classList.add('all');
      more.remove();
    },
    { class: 'more-moves' },
  );
  return [table, more];
}

type Counts = ByResult & Partial<Pick<ExplorerMove, 'averageRating' | 'performance' | 'lastPlayed'>>;

/** The cells after the first, of a move or of all moves together. */
function cells(counts: Counts, share: string): HTMLElement[] {
  const games = total(counts);
  return [
    h('td', { class: 'number' }, count(games)),
    h('td', { class: 'number share' }, share),
    h('td', { class: 'bar' }, games > 0 && resultBar(counts)),
    h('td', { class: 'number' }, rating(counts.averageRating)),
    h('td', { class: 'number performance' }, rating(counts.performance)),
    h('td', { class: 'last' }, counts.lastPlayed),
  ];
}

function row(move: ExplorerMove, all: number, events: MoveTableEvents): HTMLTableRowElement {
  const anchor = events.link(move, {
    class: 'move',
    title: move.opening ? `${move.opening.eco} ${move.opening.name}` : null,
    on: { focus: () => events.hint(move.uci), blur: () => events.hint(null) },
  });
  return linkRow(
    anchor,
    { mouseenter: () => events.hint(move.uci) },
    h('th', { scope: 'row' }, anchor),
    cells(move, percent(total(move), all)),
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
