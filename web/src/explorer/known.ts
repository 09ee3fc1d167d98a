/**
 * What the archive has of lines of moves: the number of games with the position after them. Answers are kept by the
 * line, so that games with the same opening ask once.
 */

import { address, get } from '../api.ts';
import { type State, selection } from '../state.ts';
import type { Explored } from '../types.ts';
import { total } from './resultbar.ts';

/** Where a game leaves the archive. */
export interface Leaving {
  /** The number of the first move after which no game of the archive has the position; null if there is none. */
  ply: number | null;
  /** Games of the archive with the last position that it has. */
  games: number;
}

export class Known {
  private readonly answers = new Map<string, Promise<Explored>>();
  private readonly conditions: string;

  /** Under the source and the conditions of a state. */
  constructor(private readonly state: State) {
    this.conditions = selection(state).toString();
  }

  /** Whether the conditions of a state are the same. */
  isOf(state: State): boolean {
    return selection(state).toString() === this.conditions;
  }

  /** The answer for a line, with its most played moves. Others may wait for the same, so it is not cancelled. */
  of(fen: string, play: readonly string[], moves: number, signal: AbortSignal): Promise<Explored> {
    signal.throwIfAborted();
    const parameters = selection(this.state);
    if (fen !== '') parameters.set('fen', fen);
    if (play.length > 0) parameters.set('play', play.join(','));
    parameters.set('moves', String(moves));
    parameters.set('topGames', '0');
    parameters.set('recentGames', '0');
    const url = address('lichess', parameters);
    let answer = this.answers.get(url);
    if (!answer) {
      answer = get<Explored>(url, new AbortController().signal, () => false);
      this.answers.set(url, answer);
      answer.catch(() => this.answers.delete(url));
    }
    return answer;
  }

  /** Follows a game until the archive has no game with its position. */
  async leaving(fen: string, ucis: readonly string[], signal: AbortSignal): Promise<Leaving> {
    let games = total(await this.of(fen, [], 0, signal));
    if (games === 0) return { ply: 0, games };
    for (let ply = 1; ply <= ucis.length; ply += 1) {
      const here = total(await this.of(fen, ucis.slice(0, ply), 0, signal));
      if (here === 0) return { ply, games };
      games = here;
    }
    return { ply: null, games };
  }
}
