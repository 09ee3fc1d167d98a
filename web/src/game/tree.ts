/**
 * The moves of a game as numbered nodes. Node 0 is the start, nodes 1 to n are the main line, then come the
 * moves of variations in the order of the text. The number of a node is in the address.
 */

import { INITIAL_FEN } from 'chessops/fen';
import type { Game, GameMove } from '../types.ts';

export interface Node {
  number: number;
  /** Null for the start only. */
  move: GameMove | null;
  fen: string;
  /** Plies from the start of the game. */
  ply: number;
  parent: Node | null;
  /** The next move of the same line. */
  next: Node | null;
  /** First nodes of the alternatives to this move. */
  variations: Node[];
}

/** All nodes by their number. A game without a position starts at the initial one. */
export function nodes(game: Pick<Game, 'start' | 'moves'>): Node[] {
  const root: Node = {
    number: 0,
    move: null,
    fen: game.start ?? INITIAL_FEN,
    ply: 0,
    parent: null,
    next: null,
    variations: [],
  };
  const all = [root];
  const waiting: { move: GameMove; node: Node }[] = [];
  const addLine = (moves: readonly GameMove[], start: Node, main: boolean): Node | null => {
    let first: Node | null = null;
    let parent = start;
    for (const move of moves) {
      const node: Node = {
        number: all.length,
        move,
        fen: move.fen,
        ply: parent.ply + 1,
        parent,
        next: null,
        variations: [],
      };
      if (first || main) parent.next = node;
      first ??= node;
      all.push(node);
      waiting.push({ move, node });
      parent = node;
    }
    return first;
  };
  addLine(game.moves, root, true);
  for (let i = 0; i < waiting.length; i++) {
    const { move, node } = waiting[i] as (typeof waiting)[number];
    for (const variation of move.variations) {
      const first = addLine(variation, node.parent as Node, false);
      if (first) node.variations.push(first);
    }
  }
  return all;
}

/** The last node of the line that a node is on. */
export function lastOf(node: Node): Node {
  let last = node;
  while (last.next) last = last.next;
  return last;
}

/** The moves from the start to a node, in UCI notation. */
export function movesTo(node: Node): string[] {
  const play: string[] = [];
  for (let at: Node | null = node; at?.move; at = at.parent) play.unshift(at.move.uci);
  return play;
}
