/** The moves from the root to the position and beyond, each a link, and the fields for a move and for a FEN. */

import type { Move } from 'chessops/types';
import type { App } from '../app.ts';
import { fenOf, type Line, moveNumber, readMove, rootFen, wholePosition } from '../board/line.ts';
import { type Child, fill, h, scrollWithin, submit, textInput } from '../dom.ts';
import { link } from '../links.ts';
import { announce } from '../message.ts';
import type { State } from '../state.ts';

export class LineView {
  readonly element: HTMLElement;
  private readonly moves = h('ol', { class: 'line', 'aria-label': 'Moves on the board' });
  private readonly move = textInput({
    id: 'move',
    'aria-label': 'Move to play, such as Nf3',
    placeholder: 'Move: Nf3',
  });
  private readonly fen = textInput({ id: 'fen', 'aria-label': 'Position as FEN', class: 'fen-input' });
  private readonly problem = h('p', { class: 'error', role: 'alert' });
  private line: Line | null = null;

  constructor(
    private readonly app: App,
    play: (move: Move) => void,
  ) {
    this.element = h(
      'div',
      { class: 'line-view' },
      this.moves,
      h(
        'div',
        { class: 'row entry' },
        h('form', { class: 'move-form', on: submit(() => this.enterMove(play)) }, this.move),
        h('form', { class: 'fen-form', on: submit(() => this.enterFen()) }, this.fen),
      ),
      this.problem,
    );
  }

  show(state: State, line: Line): void {
    this.line = line;
    const at = Math.min(state.at, line.sans.length);
    const item = (to: number, ...text: Child[]): HTMLElement =>
      h(
        'li',
        {},
        link(
          this.app,
          { at: to, offset: 0 },
          { 'data-replace': true, 'aria-current': to === at ? 'true' : null },
          text,
        ),
      );
    fill(
      this.moves,
      item(0, 'Start'),
      line.sans.map((san, i) =>
        item(i + 1, moveNumber(line.positions[i] as (typeof line.positions)[number], i === 0), ' ', san),
      ),
    );
    const marked = this.moves.querySelector('[aria-current]');
    if (marked) scrollWithin(this.moves, marked);
    const current = line.positions[at];
    if (current) this.fen.value = fenOf(current);
    this.complain(line.problem);
  }

  focusMove(): void {
    this.move.focus();
  }

  private complain(problem: string | null): void {
    this.problem.textContent = problem ?? '';
  }

  private enterMove(play: (move: Move) => void): void {
    const at = this.line?.positions[this.app.state.at];
    const text = this.move.value;
    if (!at || text.trim() === '') return;
    const move = readMove(at, text);
    if (!move) {
      this.complain(`${text} is not a legal move here.`);
      this.move.select();
      return;
    }
    this.move.value = '';
    play(move);
    announce(`Played ${text}`);
    this.move.focus();
  }

  private enterFen(): void {
    const found = wholePosition(this.fen.value);
    if (typeof found === 'string') {
      this.complain(found);
      return;
    }
    this.app.go({ fen: rootFen(fenOf(found)), play: [], at: 0, offset: 0 }, 'push');
  }
}
