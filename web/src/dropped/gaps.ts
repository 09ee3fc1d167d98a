/** Moves that a repertoire has no answer to: moves of the archive after which it has no move. */

import { fenOf, movesText, position, readMove, replay, rootFen, turnOf } from '../board/line.ts';
import type { Known } from '../explorer/known.ts';
import { total } from '../explorer/resultbar.ts';
import { movesTo, nodes } from '../game/tree.ts';
import type { Game } from '../types.ts';

export type Side = 'white' | 'black';

/** A move without an answer. */
export interface Gap {
  fen: string;
  play: string[];
  /** The line with the move, in words. */
  text: string;
  /** Games in which it was played, and those of the position before it. */
  games: number;
  of: number;
}

/** Positions that are looked up, those after the fewest moves first. */
const MOST_POSITIONS = 400;
/** Moves of a position that count, and the share of its games that they must have. */
const MOVES = 12;
const LEAST_SHARE = 0.01;

/** A position without its counters: other orders of moves lead to it, too. */
const key = (fen: string): string => fen.split(' ').slice(0, 4).join(' ');

/** A repertoire: positions with a move of its side, and those in which the other side moves. */
interface Repertoire {
  answered: Set<string>;
  asked: { fen: string; play: string[]; at: string }[];
}

function repertoire(games: Iterable<Game>, side: Side): Repertoire {
  const answered = new Set<string>();
  const asked = new Map<string, Repertoire['asked'][number]>();
  for (const game of games) {
    if (game.start === null) continue;
    for (const node of nodes(game)) {
      if (node.parent && turnOf(node.parent.fen).turn === side) answered.add(key(node.parent.fen));
      if (turnOf(node.fen).turn === side) continue;
      const play = movesTo(node);
      const known = asked.get(key(node.fen));
      if (!known || known.play.length > play.length)
        asked.set(key(node.fen), { fen: rootFen(game.start), play, at: node.fen });
    }
  }
  return { answered, asked: [...asked.values()].sort((a, b) => a.play.length - b.play.length) };
}

/** The moves without an answer, those of the most games first. `progress` gets the part that is done. */
export async function gaps(
  games: Iterable<Game>,
  side: Side,
  known: Known,
  signal: AbortSignal,
  progress: (part: number) => void,
): Promise<Gap[]> {
  const { answered, asked } = repertoire(games, side);
  const found: Gap[] = [];
  const positions = asked.slice(0, MOST_POSITIONS);
  for (const [i, { fen, play, at }] of positions.entries()) {
    progress(i / positions.length);
    const before = position(at);
    if (typeof before === 'string') continue;
    const answer = await known.of(fen, play, MOVES, signal);
    const of = total(answer);
    for (const { uci, ...results } of answer.moves) {
      const games = total(results);
      const move = readMove(before, uci);
      if (!move || games < LEAST_SHARE * of) continue;
      const after = before.clone();
      after.play(move);
      if (after.isEnd() || answered.has(key(fenOf(after)))) continue;
      const line = [...play, uci];
      found.push({ fen, play: line, text: movesText(replay(fen, line)), games, of });
    }
  }
  return found.sort((a, b) => b.games - a.games);
}
