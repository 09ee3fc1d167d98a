/**
 * What the page shows, and its address. The address holds all of it, so that links, reloading and the
 * browser's back and forward buttons work. `read(write(state))` equals `state`.
 */

import { wholeFen } from './board/line.ts';
import { FILTERS, type FilterValues } from './filters.ts';

export type ViewName =
  | 'explorer'
  | 'game'
  | 'editor'
  | 'statistics'
  | 'storage'
  | 'player'
  /** A file of games of this computer, and a game of it. */
  | 'dropped'
  | 'droppedGame';

export interface State {
  view: ViewName;
  /** Address of the archive to read instead of those of the site; empty for these. */
  archive: string;
  /** Name of the archive, or empty for all. */
  source: string;
  /** Root of the line as FEN, or empty for the initial position. */
  fen: string;
  /** Moves from the root in UCI notation. */
  play: readonly string[];
  /** How many of these moves are on the board. */
  at: number;
  /** Other lines from the root that are kept, each in UCI notation with commas. */
  kept: readonly string[];
  filters: FilterValues;
  /** First game of the page of the list, from 0. */
  offset: number;
  /** Order of the moves: a column, with `-` the least first; empty for the number of games. */
  order: string;
  /** Order of the games as the server takes it, or empty for that of the archive. */
  sort: string;
  /** Source and conditions to compare with, as in an address; `*` for all games, empty for no comparison. */
  with: string;
  /** Number of the game of the game view, or of that of a dropped file. */
  game: number;
  /** Node of that game: plies of the main line, then moves of variations (game/tree.ts). */
  node: number;
  /** Moves tried from that node, in UCI notation. */
  tried: readonly string[];
  /** Black at the bottom. */
  flip: boolean;
}

export const START: State = {
  view: 'explorer',
  archive: '',
  source: '',
  fen: '',
  play: [],
  at: 0,
  kept: [],
  filters: {},
  offset: 0,
  order: '',
  sort: '',
  with: '',
  game: 0,
  node: 0,
  tried: [],
  flip: false,
};

const VIEWS: readonly ViewName[] = ['explorer', 'editor', 'statistics', 'storage', 'player', 'dropped'];

function natural(text: string | null): number {
  const value = Number(text ?? '');
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** The state of an address. What it does not understand is left at its default. */
export function read(query: string): State {
  const parameters = new URLSearchParams(query);
  const get = (name: string): string => (parameters.get(name) ?? '').trim();
  const moves = (name: string): string[] =>
    get(name)
      .split(/[,\s]+/)
      .filter((move) => move !== '');
  const play = moves('play');
  const filters: Record<string, readonly string[]> = {};
  for (const filter of FILTERS) {
    const values = parameters
      .getAll(filter.name)
      .map((value) => value.trim())
      .filter((value) => value !== '');
    // A condition that takes one value and is given twice is an error, which the server explains.
    if (values.length > 0) filters[filter.name] = values;
  }
  const game = natural(get('game'));
  const view = VIEWS.find((name) => name === get('view')) ?? 'explorer';
  return {
    view: game === 0 ? view : view === 'dropped' ? 'droppedGame' : 'game',
    archive: get('archive'),
    source: get('source'),
    fen: wholeFen(get('fen')),
    play,
    at: parameters.has('at') ? Math.min(natural(get('at')), play.length) : play.length,
    kept: get('kept')
      .split(';')
      .filter((line) => line !== ''),
    filters,
    offset: natural(get('offset')),
    order: get('order'),
    sort: get('sort'),
    with: get('with'),
    game,
    node: natural(get('node')),
    tried: game > 0 ? moves('tried') : [],
    flip: get('flip') === '1',
  };
}

/** The query of an address, beginning with `?`. */
export function write(state: State): string {
  const parameters = new URLSearchParams();
  const set = (name: string, value: string | number, unless: string | number): void => {
    if (value !== unless) parameters.set(name, String(value));
  };
  const isGame = state.view === 'game' || state.view === 'droppedGame';
  if (state.view !== 'game') set('view', state.view === 'droppedGame' ? 'dropped' : state.view, 'explorer');
  if (isGame) {
    set('game', state.game, 0);
    set('node', state.node, 0);
    set('tried', state.tried.join(','), '');
  }
  set('archive', state.archive, '');
  set('source', state.source, '');
  set('fen', state.fen.replaceAll(' ', '_'), '');
  set('play', state.play.join(','), '');
  set('at', state.at, state.play.length);
  set('kept', state.kept.join(';'), '');
  writeFilters(state.filters, parameters);
  set('offset', state.offset, 0);
  set('order', state.order, '');
  set('sort', state.sort, '');
  set('with', state.with, '');
  set('flip', state.flip ? 1 : 0, 0);
  // Slashes and commas need no escape in a query, and FENs are easier to read with them.
  const text = parameters.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
  return `?${text}`;
}

function writeFilters(filters: FilterValues, parameters: URLSearchParams): void {
  for (const { name } of FILTERS) {
    for (const value of filters[name] ?? []) parameters.append(name, value);
  }
}

/** The parameters of a request for the games that meet the conditions. */
export function selection(state: State): URLSearchParams {
  const parameters = new URLSearchParams();
  if (state.source !== '') parameters.set('source', state.source);
  writeFilters(state.filters, parameters);
  return parameters;
}

/** The same, of the games that pass through the position on the board. */
export function atPosition(state: State): URLSearchParams {
  const parameters = selection(state);
  if (state.fen !== '') parameters.set('fen', state.fen);
  if (state.at > 0) parameters.set('play', state.play.slice(0, state.at).join(','));
  return parameters;
}

/** Whether the initial position is on the board, so that all games pass through it. */
export const isStart = (state: State): boolean => state.fen === '' && state.at === 0;
