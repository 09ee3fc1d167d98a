/** The most played lines from a position, by one request for each position. */

import type { ByResult, Explored } from '../types.ts';
import { total } from './resultbar.ts';

/** A move, its results, and the moves after it, the most played first. The root has no move. */
export interface Lines extends ByResult {
  san: string;
  /** The opening after the move, if it has a name. */
  opening?: string | undefined;
  play: readonly string[];
  next: Lines[];
}

interface Limits {
  /** The longest line. */
  plies: number;
  /** The least part of all games that a move must have. */
  least: number;
}

/** Positions of one tree. */
const MOST = 200;

/** Grows the lines, shorter ones first. `progress` gets the part that is done. */
export async function grow(
  ask: (play: readonly string[]) => Promise<Explored>,
  { plies, least }: Limits,
  progress: (part: number) => void,
): Promise<Lines> {
  const first = await ask([]);
  const root: Lines = { ...resultsOf(first), san: '', play: [], next: [] };
  const all = total(root);
  const waiting = [{ lines: root, answer: first as Explored | null }];
  for (let i = 0; i < Math.min(waiting.length, MOST); i += 1) {
    const { lines, answer } = waiting[i] as (typeof waiting)[number];
    progress(i / waiting.length);
    const { moves } = answer ?? (await ask(lines.play));
    for (const move of moves) {
      if (total(move) === 0 || total(move) < least * all) continue;
      const opening = move.opening?.name;
      const next = { ...resultsOf(move), san: move.san, opening, play: [...lines.play, move.uci], next: [] };
      lines.next.push(next);
      if (next.play.length < plies) waiting.push({ lines: next, answer: null });
    }
  }
  return root;
}

const resultsOf = ({ white, draws, black }: ByResult): ByResult => ({ white, draws, black });

/** All moves of lines. */
export function* eachMove(lines: Lines): Iterable<Lines> {
  for (const next of lines.next) {
    yield next;
    yield* eachMove(next);
  }
}
