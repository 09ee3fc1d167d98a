/** The head of a game: who played, the result, when and where, the opening, and what leads to other such games. */

import type { App } from '../app.ts';
import { type Child, h, own } from '../dom.ts';
import { ecoName } from '../econames.ts';
import { name, result, timeControl } from '../format.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import type { Game } from '../types.ts';
import type { Origin } from './origin.ts';

export function head(app: App, game: Game, origin: Origin, back: Child): Child[] {
  const opening = game.opening ?? ecoName(game.eco ?? '');
  return [
    h(
      'div',
      { class: 'row' },
      back,
      h('span', { class: 'space' }),
      h(
        'a',
        { class: 'download', href: origin.address(game), download: fileName(game) },
        icon('download'),
        'PGN',
      ),
    ),
    h(
      'h1',
      { tabindex: '-1' },
      own(name(game.white)),
      ' – ',
      own(name(game.black)),
      ` ${result(game.result)}`,
    ),
    h('p', { class: 'quiet' }, summary(game)),
    (game.eco || opening) &&
      h('p', { class: 'opening' }, game.eco && h('span', { class: 'eco' }, game.eco), ' ', own(opening)),
    origin.view === 'game' && narrowing(app, game),
  ];
}

/** Links that add a condition to those of the search: the same player, day, opening or event. */
function narrowing(app: App, game: Game): HTMLElement {
  const only = (condition: string, value: string | null, words: string): Child =>
    value !== null &&
    value !== '' &&
    link(
      app,
      (state) => ({ view: 'explorer', filters: { ...state.filters, [condition]: [value] }, offset: 0 }),
      { class: 'chip', 'aria-label': `Only games ${words} ${value}` },
      own(value),
    );
  return h(
    'p',
    { class: 'row narrowing' },
    h('span', { class: 'quiet' }, 'Only games of'),
    only('player', game.white.name, 'of'),
    only('player', game.black.name, 'of'),
    only('date', knownDate(game.date ?? ''), 'of'),
    only('eco', game.eco, 'with the opening'),
    only('event', game.event, 'of the event'),
  );
}

/** A date whose unknown parts are left out, as a condition has it. */
const knownDate = (date: string): string => date.replaceAll('-??', '');

/** The players in text without elements, as the title of the document. */
export const playersOf = (game: Game): string =>
  `${isolated(name(game.white))} – ${isolated(name(game.black))}`;

/** Scripts from right to left, and characters that change the direction. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;

/** The same as `own` in text without elements: between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. */
const isolated = (text: string): string => (TURNS.test(text) ? `\u2068${text}\u2069` : text);

function summary(game: Game): Child[] {
  const parts = [
    game.date,
    game.event,
    timeControl(game.time_control),
    game.termination,
    game.plies !== null && `${game.plies} plies`,
  ];
  return parts.filter((part) => part && part !== '–').map((part, i) => [i > 0 && ' · ', own(part as string)]);
}

const fileName = (game: Game): string => `${game.source}-game-${game.source_number}.pgn`;
