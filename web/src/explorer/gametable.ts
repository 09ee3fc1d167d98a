/** The table of the games of a list: a row opens its game, the head of a column sorts by it. */

import type { App } from '../app.ts';
import { type Child, h, linkRow, own } from '../dom.ts';
import { count, DASH, name, rating, result, timeControl } from '../format.ts';
import { link } from '../links.ts';
import type { GameSummary, Player } from '../types.ts';

/** Games chosen for a download. */
export interface Chosen {
  has(game: number): boolean;
  choose(game: number, on: boolean): void;
}

const player = (side: Player, won: boolean): Child => [
  side.title && [h('span', { class: 'title' }, own(side.title)), ' '],
  h('span', { class: won ? 'won' : null }, own(name(side))),
  h('span', { class: 'quiet' }, ` ${rating(side.rating)}`),
];

interface Column {
  title: string;
  kind: string | null;
  /** What the server sorts by. */
  key: string;
  /** Whether the greatest value is the first of interest. */
  isDescending?: boolean;
  help?: string;
}

const COLUMNS: readonly Column[] = [
  { title: 'White', kind: 'players', key: 'white' },
  { title: 'Black', kind: 'players', key: 'black' },
  { title: 'Result', kind: null, key: 'result' },
  { title: 'Date', kind: null, key: 'date', isDescending: true },
  { title: 'Time', kind: 'time', key: 'speed', help: 'Sort by the name of the speed' },
  { title: 'ECO', kind: null, key: 'eco' },
  { title: 'Plies', kind: 'plies', key: 'plies', isDescending: true },
  { title: 'Event', kind: 'event', key: 'event' },
];

const DESCENDING = ':desc';

/** An order that a column has, in words. */
export function orderInWords(order: string): string {
  const column = COLUMNS.find(({ key }) => key === order.replace(DESCENDING, ''));
  if (!column) return order;
  return `by ${column.title}, ${order.endsWith(DESCENDING) ? 'descending' : 'ascending'}`;
}

/** The head of a column, which sorts by it, then the other way, then not at all. */
function head(app: App, { title, kind, key, isDescending = false, help }: Column): HTMLElement {
  const [first, second] = isDescending ? [`${key}${DESCENDING}`, key] : [key, `${key}${DESCENDING}`];
  const { sort } = app.state;
  const sorted = ![first, second].includes(sort)
    ? null
    : sort.endsWith(DESCENDING)
      ? 'descending'
      : 'ascending';
  const next = sort === first ? second : sort === second ? '' : first;
  return h(
    'th',
    { scope: 'col', class: kind, 'aria-sort': sorted },
    link(
      app,
      { sort: next, offset: 0 },
      { title: next === '' ? 'Do not sort' : (help ?? `Sort by ${title}`) },
      title,
    ),
  );
}

/** A table of games; the whole row follows the link to the game in it. */
export const gameTable = (app: App, games: readonly GameSummary[], chosen: Chosen): HTMLTableElement =>
  h(
    'table',
    { class: 'game-table' },
    h('caption', { class: 'hidden' }, 'Games'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('td', { class: 'choose' }),
        COLUMNS.map((column) => head(app, column)),
      ),
    ),
    h(
      'tbody',
      {},
      games.map((game) => gameRow(app, game, chosen)),
    ),
  );

function gameRow(app: App, game: GameSummary, chosen: Chosen): HTMLTableRowElement {
  const players = `${name(game.white)} – ${name(game.black)}`;
  const anchor = link(
    app,
    { view: 'game', game: game.number, node: game.ply ?? 0, tried: [] },
    { class: 'open', 'aria-label': `${result(game.result)}, open ${players}` },
    result(game.result),
  );
  const box = h('input', {
    type: 'checkbox',
    'aria-label': `Choose ${players}`,
    on: { change: () => chosen.choose(game.number, box.checked) },
  });
  box.checked = chosen.has(game.number);
  const row = linkRow(
    anchor,
    {},
    h('td', { class: 'choose' }, h('label', {}, box)),
    h('th', { scope: 'row', class: 'players' }, player(game.white, game.result === '1-0')),
    h('td', { class: 'players' }, player(game.black, game.result === '0-1')),
    h('td', { class: 'result' }, anchor),
    h('td', {}, game.date ?? DASH),
    h('td', { class: 'time', title: game.time_control }, timeControl(game.time_control)),
    h('td', { title: game.opening }, game.eco ?? DASH),
    h('td', { class: 'plies' }, count(game.plies)),
    h(
      'td',
      { class: 'event' },
      own(game.event),
      game.round && game.round !== '-' && game.round !== '?' && [' ', own(`(${game.round})`)],
    ),
  );
  row.dataset.game = String(game.number);
  return row;
}
