/**
 * The moves played from the position: games, share, results, ratings, performance, the name of the opening. A row is
 * a link to the position after its move; the heads of the columns sort the rows.
 */

import { type Attributes, button, type Child, h, linkRow } from '../dom.ts';
import { count, percent, rating } from '../format.ts';
import type { ByResult, Explored, ExplorerMove } from '../types.ts';
import { FEW, resultBar, total } from './resultbar.ts';

/** Rare moves after these are shown on request. */
const SHOWN = 12;

export interface MoveTableEvents {
  /** A link to the position after the move. */
  link(move: ExplorerMove, attributes: Attributes): HTMLAnchorElement;
  /** A link that sorts the moves. */
  sort(order: string, attributes: Attributes, text: string): HTMLAnchorElement;
  /** The pointer or the focus is on a move, or on none. */
  hint(uci: string | null): void;
}

type Counts = ByResult & Partial<Pick<ExplorerMove, 'averageRating' | 'performance' | 'lastPlayed'>>;

interface Column {
  title: string;
  /** What the column is sorted by. */
  help?: string;
  classes: string;
  cell(counts: Counts, all: number): Child;
  /** The name in the address, and what the moves are sorted by. */
  key?: string;
  value?(move: ExplorerMove): string | number | null | undefined;
  /** Whether the value is a mean, so that moves of few games follow the others. */
  isMean?: boolean;
}

const COLUMNS: readonly Column[] = [
  {
    title: 'Games',
    classes: 'number',
    cell: (counts) => count(total(counts)),
    key: 'games',
    value: total,
  },
  {
    title: 'Share',
    classes: 'number share',
    cell: (counts, all) => (all === 0 ? '' : percent(total(counts), all)),
  },
  {
    title: 'White / draw / Black',
    help: 'Sort by the score of White',
    classes: 'bar',
    cell: (counts) => total(counts) > 0 && resultBar(counts),
    key: 'score',
    value: (move) => (total(move) === 0 ? null : (move.white + move.draws / 2) / total(move)),
    isMean: true,
  },
  {
    title: 'Mean rating',
    help: 'Sort by the mean rating of both players',
    classes: 'number',
    cell: (counts) => rating(counts.averageRating),
    key: 'rating',
    value: (move) => move.averageRating,
    isMean: true,
  },
  {
    title: 'Perf.',
    help: 'Sort by the performance of the side that moves',
    classes: 'number performance',
    cell: (counts) => rating(counts.performance),
    key: 'performance',
    value: (move) => move.performance,
    isMean: true,
  },
  {
    title: 'Last',
    classes: 'last',
    cell: (counts) => counts.lastPlayed,
    key: 'last',
    value: (move) => move.lastPlayed,
  },
];

/**
 * Moves in an order: `rating` is the highest first, `-rating` the lowest; most games first by default. Moves of few games
 * follow the others if the column is a mean.
 */
export function ordered(moves: readonly ExplorerMove[], order: string): ExplorerMove[] {
  const column = COLUMNS.find(({ key }) => key === order.replace('-', ''));
  const value = column?.value;
  if (!value) return [...moves];
  const sign = order.startsWith('-') ? -1 : 1;
  const isRare = (move: ExplorerMove): boolean => column.isMean === true && total(move) < FEW;
  return [...moves].sort((one, other) => {
    const [a, b] = [value(one) ?? null, value(other) ?? null];
    // What is not known comes last in both orders.
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    // The answer has the most played moves first, and moves of few games keep that order.
    if (isRare(one) || isRare(other)) return Number(isRare(one)) - Number(isRare(other));
    return a === b ? 0 : a < b ? sign : -sign;
  });
}

export function moveTable(
  answer: Explored,
  number: string,
  order: string,
  events: MoveTableEvents,
): HTMLElement[] {
  const all = total(answer);
  const rows = ordered(answer.moves, order).map((move) => row(move, all, events));
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
        COLUMNS.map((column) => head(column, order || 'games', events)),
        h('th', { scope: 'col', class: 'opening' }, 'Opening'),
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
        cells(answer, all),
        h('td', { class: 'opening' }),
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

function head(
  { title, help, classes, key, isMean }: Column,
  order: string,
  events: MoveTableEvents,
): HTMLElement {
  const sorted = order === key ? 'descending' : order === `-${key}` ? 'ascending' : null;
  const next = key === 'games' && sorted !== 'descending' ? '' : sorted === 'descending' ? `-${key}` : key;
  return h(
    'th',
    { scope: 'col', class: classes, 'aria-sort': sorted },
    key === undefined
      ? title
      : events.sort(
          next ?? '',
          {
            title: `${help ?? `Sort by ${title.toLowerCase()}`}${isMean ? `; moves of fewer than ${FEW} games follow the others, most games first` : ''}`,
            'data-replace': true,
          },
          title,
        ),
  );
}

/** The cells after the first, of a move or of all moves together. */
const cells = (counts: Counts, all: number): HTMLElement[] =>
  COLUMNS.map((column) => h('td', { class: column.classes }, column.cell(counts, all)));

function row(move: ExplorerMove, all: number, events: MoveTableEvents): HTMLTableRowElement {
  const opening = move.opening ? `${move.opening.eco} ${move.opening.name}` : null;
  const anchor = events.link(move, {
    class: 'move',
    'data-uci': move.uci,
    title: opening,
    on: { focus: () => events.hint(move.uci), blur: () => events.hint(null) },
  });
  return linkRow(
    anchor,
    { mouseenter: () => events.hint(move.uci) },
    h('th', { scope: 'row' }, anchor),
    cells(move, all),
    h('td', { class: 'opening', title: opening }, move.opening?.name),
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
