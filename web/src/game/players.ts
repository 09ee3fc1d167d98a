/** The players above and below the board, with their clocks. */

import type { App } from '../app.ts';
import { turnOf } from '../board/line.ts';
import { type Child, fill, h, own } from '../dom.ts';
import { clock, name, rating } from '../format.ts';
import { link } from '../links.ts';
import { pageOf } from '../player.ts';
import type { Game, Player } from '../types.ts';
import type { Node } from './tree.ts';

export class Players {
  readonly above = h('p', { class: 'player' });
  readonly below = h('p', { class: 'player' });

  constructor(private readonly app: App) {}

  /** Shows the players of a game at a node. */
  show(game: Game, node: Node, flip: boolean): void {
    const { turn } = turnOf(node.fen);
    const time = (side: 'white' | 'black'): number | null => {
      // The clock of a side is the one after its latest move.
      const mover = turn === side ? node.parent : node;
      return mover?.move?.clock ?? null;
    };
    const bar = (side: 'white' | 'black', player: Player): Child[] => {
      const left = time(side);
      return [
        h('span', { class: `disc ${side}`, 'aria-label': side === 'white' ? 'White' : 'Black', role: 'img' }),
        h(
          'span',
          { class: 'name' },
          player.title ? [own(player.title), ' '] : null,
          player.name ? link(this.app, pageOf(player.name), {}, own(player.name)) : name(player),
        ),
        h('span', { class: 'quiet' }, rating(player.rating)),
        h('span', { class: 'space' }),
        used(node, side) !== null &&
          h(
            'span',
            { class: 'quiet', title: 'Time used for the last move' },
            `${clock(used(node, side) ?? 0)} used`,
          ),
        left !== null && h('span', { class: `clock${turn === side ? ' turn' : ''}` }, clock(left)),
      ];
    };
    const [white, black] = [bar('white', game.white), bar('black', game.black)];
    fill(this.above, flip ? white : black);
    fill(this.below, flip ? black : white);
  }
}

/** The seconds between the last two clocks of a side; null if they are not known. An increment is added to the clock. */
function used(node: Node, side: 'white' | 'black'): number | null {
  const last = turnOf(node.fen).turn === side ? node.parent : node;
  const [start, end] = [last?.parent?.parent?.move?.clock, last?.move?.clock];
  return typeof start === 'number' && typeof end === 'number' && start >= end ? start - end : null;
}
