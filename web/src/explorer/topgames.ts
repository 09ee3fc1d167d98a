/** The best rated games through the position. */

import type { App } from '../app.ts';
import { h, own } from '../dom.ts';
import { name, rating } from '../format.ts';
import { link } from '../links.ts';
import type { ExplorerGame, Player } from '../types.ts';

const SCORES = { white: '1–0', black: '0–1' };

export function topGames(app: App, list: readonly ExplorerGame[]): HTMLElement[] {
  return [
    h('h2', {}, 'Best rated'),
    h(
      'ul',
      { class: 'cards' },
      list.map((game) => card(app, game)),
    ),
  ];
}

function card(app: App, game: ExplorerGame): HTMLElement {
  const side = (player: Player, won: boolean): HTMLElement =>
    h(
      'span',
      {},
      h('span', { class: won ? 'won' : null }, own(name(player))),
      h('span', { class: 'quiet' }, ` ${rating(player.rating)}`),
    );
  const content = [
    h(
      'span',
      { class: 'players' },
      side(game.white, game.winner === 'white'),
      ' – ',
      side(game.black, game.winner === 'black'),
    ),
    h('span', {}, game.winner ? SCORES[game.winner] : '½–½'),
    h('span', { class: 'quiet' }, game.month ?? game.year),
  ];
  const number = game.number;
  return h(
    'li',
    {},
    number === undefined
      ? h('span', { class: 'card-link' }, content)
      : link(app, { view: 'game', game: number, node: 0, tried: [] }, { class: 'card-link' }, content),
  );
}
