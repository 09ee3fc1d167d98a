/**
 * Marks moves of the table whose position is also reached by other moves: more games have the position than the move
 * was played in. A server with an index is asked for each shown move; where that takes long, and without a server, moves
 * are looked up on request.
 */

import { hasServer } from '../api.ts';
import { button, h } from '../dom.ts';
import { count, games as inWords } from '../format.ts';
import type { State } from '../state.ts';
import type { Explored } from '../types.ts';
import { Known } from './known.ts';
import { total } from './resultbar.ts';

/** Moves that are looked up, the most played ones. */
const MOST = 14;

export class Transpositions {
  private known: Known | null = null;
  private asking = new AbortController();

  /** Marks the moves of a table that shows an answer; at once only if answers come fast. */
  show(table: HTMLElement, state: State, answer: Explored, isFast: boolean): void {
    this.asking.abort();
    this.asking = new AbortController();
    if (!this.known?.isOf(state)) this.known = new Known(state);
    const { known } = this;
    const { signal } = this.asking;
    const mark = (): void => void markMoves(table, state, answer, known, signal);
    if (hasServer() && isFast) mark();
    else if (answer.moves.length > 0) {
      const more = button(
        'Mark transpositions',
        () => {
          more.remove();
          mark();
        },
        { class: 'more-moves' },
      );
      table.append(more);
    }
  }
}

async function markMoves(
  table: HTMLElement,
  state: State,
  answer: Explored,
  known: Known,
  signal: AbortSignal,
): Promise<void> {
  const line = state.play.slice(0, state.at);
  for (const move of answer.moves.slice(0, MOST)) {
    const found = await known.of(state.fen, [...line, move.uci], 0, signal).catch(() => null);
    if (signal.aborted || !found) return;
    const more = total(found) - total(move);
    const anchor = table.querySelector(`a.move[data-uci="${move.uci}"]`);
    if (more <= 0 || !anchor) continue;
    anchor.after(
      h(
        'span',
        {
          class: 'transposes',
          role: 'img',
          'aria-label': `${inWords(more)} more by other moves`,
          title: `The position after ${move.san} is in ${count(total(found))} games, ${count(more)} of them by other moves`,
        },
        '⇄',
      ),
    );
  }
}
