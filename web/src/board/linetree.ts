/** Lines from one position as a tree: the line on the board, and lines that are kept in the address. */

import type { GameMove } from '../types.ts';
import { fenOf, replay } from './line.ts';

/** A move of the tree, and the moves after it. The first is the main line. */
interface Branch {
  uci: string;
  san: string;
  fen: string;
  next: Branch[];
}

/** The tree of lines in UCI notation. What is not legal from the root is left out. */
function grow(fen: string, lines: readonly (readonly string[])[]): Branch[] {
  const first: Branch[] = [];
  for (const play of lines) {
    const { ucis, sans, positions } = replay(fen, play);
    let next = first;
    for (const [i, uci] of ucis.entries()) {
      let branch = next.find((other) => other.uci === uci);
      if (!branch) {
        const at = positions[i + 1];
        branch = { uci, san: sans[i] ?? '', fen: at ? fenOf(at) : '', next: [] };
        next.push(branch);
      }
      next = branch.next;
    }
  }
  return first;
}

const NONE: Omit<GameMove, 'san' | 'uci' | 'fen' | 'variations'> = {
  clock: null,
  eval: null,
  nags: [],
  comment: null,
};

/** The lines as the moves of a game with variations. */
export const movesOf = (fen: string, lines: readonly (readonly string[])[]): GameMove[] =>
  lineOf(grow(fen, lines));

function lineOf(branches: readonly Branch[]): GameMove[] {
  const moves: GameMove[] = [];
  for (let all = branches; ; ) {
    const [main, ...others] = all;
    if (!main) return moves;
    const { san, uci, fen } = main;
    const variations = others.map((other) => lineOf([other]));
    moves.push({ ...NONE, san, uci, fen, variations });
    all = main.next;
  }
}

/** A line as kept in the address. */
export const kept = (play: readonly string[]): string => play.join(',');
export const playOf = (line: string): string[] => line.split(',');

/** Keeps a line, of which others may be a part. */
export function keep(lines: readonly string[], play: readonly string[]): string[] {
  const own = kept(play);
  if (lines.some((line) => startsWith(line, own))) return [...lines];
  return [...lines.filter((line) => !startsWith(own, line)), own];
}

/** Forgets the lines that go on from these moves. */
export const forget = (lines: readonly string[], play: readonly string[]): string[] =>
  lines.filter((line) => !startsWith(line, kept(play)));

const startsWith = (line: string, start: string): boolean => line === start || line.startsWith(`${start},`);
