/** The moves from the root to the position and beyond, each a link, and the fields for a move and for a FEN. */

import type { App } from '../app.ts';
import {
  fenOf,
  type Line,
  moveNumber,
  pgnOf,
  position,
  readMoves,
  readText,
  rootFen,
  variationsText,
} from '../board/line.ts';
import { forget, keep, movesOf, playOf } from '../board/linetree.ts';
import { button, type Child, fill, h, scrollWithin, submit, textInput } from '../dom.ts';
import { moveList } from '../game/movelist.ts';
import { movesTo, type Node, nodes } from '../game/tree.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import { announce, copy, notify } from '../message.ts';
import type { State } from '../state.ts';

export class LineView {
  readonly element: HTMLElement;
  private readonly moves = h('ol', { class: 'line', 'aria-label': 'Moves on the board' });
  private readonly move = textInput({
    id: 'move',
    'aria-label': 'Moves to play, such as Nf3, several moves, or a PGN',
    placeholder: 'Move: Nf3',
    on: { paste: (event: ClipboardEvent) => this.paste(event) },
  });
  private readonly fen = textInput({ id: 'fen', 'aria-label': 'Position as FEN', class: 'fen-input' });
  private readonly problem = h('p', { class: 'error', role: 'alert' });
  private readonly file = h('a', { class: 'download', download: 'line.pgn' }, icon('download'), 'PGN');
  private readonly tree = h('div', { class: 'kept-lines', hidden: true });
  private readonly forget = button('Forget line', () => this.forgetLine());
  private line: Line | null = null;
  /** The PGN of the line, with the lines that are kept as variations. */
  private pgn = '';

  constructor(
    private readonly app: App,
    private readonly play: (ucis: readonly string[]) => void,
  ) {
    this.element = h(
      'div',
      { class: 'line-view' },
      this.moves,
      this.tree,
      h(
        'div',
        { class: 'row entry' },
        h('form', { class: 'move-form', on: submit(() => this.enter(this.move.value)) }, this.move),
        h('form', { class: 'fen-form', on: submit(() => this.enterFen()) }, this.fen),
      ),
      h(
        'div',
        { class: 'row copies' },
        button('Copy FEN', () => copy(this.fen.value, 'FEN')),
        button('Copy PGN', () => copy(this.pgn, 'PGN')),
        this.file,
        button('Keep line', () => this.keepLine(), { title: 'Keep this line beside others, as a variation' }),
        this.forget,
      ),
      this.problem,
    );
  }

  show(state: State, line: Line): void {
    this.line = line;
    this.showKept(state, line);
    this.file.href = `data:application/x-chess-pgn,${encodeURIComponent(this.pgn)}`;
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

  /** The kept lines as moves with variations, of which each is a link. */
  private showKept(state: State, line: Line): void {
    const lines = state.kept.map(playOf);
    this.tree.hidden = lines.length === 0;
    this.forget.hidden = lines.length === 0;
    fill(this.tree);
    this.pgn = pgnOf(line);
    const root = line.positions[0];
    if (lines.length === 0 || !root) return;
    const moves = movesOf(state.fen, [...lines, line.ucis]);
    this.pgn = pgnOf(line, variationsText(moves, root));
    const all = nodes({ start: fenOf(root), moves });
    const now = line.ucis.slice(0, state.at).join();
    const list = moveList(all[0] as Node, (node, attributes, ...children) => {
      const play = movesTo(node);
      const isCurrent = play.join() === now;
      const own = { ...attributes, 'data-node': null, 'aria-current': isCurrent ? 'true' : null };
      return link(this.app, { play, at: play.length, offset: 0 }, own, ...children);
    });
    fill(this.tree, list);
  }

  private keepLine(): void {
    const { state } = this.app;
    if (this.line && this.line.ucis.length > 0)
      this.app.go({ kept: keep(state.kept, this.line.ucis) }, 'push');
    else notify('There is no move to keep');
  }

  private forgetLine(): void {
    const { state } = this.app;
    const play = this.line?.ucis.slice(0, state.at) ?? [];
    this.app.go({ kept: play.length === 0 ? [] : forget(state.kept, play) }, 'push');
  }

  focusMove(): void {
    this.move.focus();
  }

  private complain(problem: string | null): void {
    this.problem.textContent = problem ?? '';
  }

  /** A text of several lines is played at once: the field has only one. */
  private paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    this.move.value = text.replace(/\s+/g, ' ').trim();
    this.enter(text);
  }

  private enter(text: string): void {
    const at = this.line?.positions[this.app.state.at];
    const typed = readText(text);
    const { words } = typed;
    if (!at || (words.length === 0 && typed.fen === null)) {
      if (text.trim() !== '') this.refuse(`${shorten(text)} is not a legal move here.`);
      return;
    }
    const start = position(typed.fen ?? '');
    if (typeof start === 'string') {
      this.refuse(start);
      return;
    }
    const fromHere = { ...readMoves(at, words), root: null };
    const fromStart = { ...readMoves(start, words), root: start };
    // A text that numbers its first move as that of a game begins there, unless only the board allows it.
    const isNumbered = typed.fromStart && !(at.fullmoves === 1 && at.turn === 'white');
    const readings = typed.fen !== null ? [fromStart] : isNumbered ? [fromStart, fromHere] : [fromHere];
    const reading = readings.find(({ wrong }) => wrong === null);
    if (!reading) {
      const { wrong, ucis } = readings[0] ?? fromHere;
      this.refuse(refusal(wrong ?? '', ucis.length));
      return;
    }
    this.move.value = '';
    announce(`Played ${shorten(text)}`);
    const { root, ucis } = reading;
    if (root) this.app.go({ fen: rootFen(fenOf(root)), play: ucis, at: ucis.length, offset: 0 }, 'push');
    else this.play(ucis);
    this.move.focus();
  }

  private refuse(problem: string): void {
    this.complain(problem);
    this.move.select();
  }

  private enterFen(): void {
    const found = position(this.fen.value);
    if (typeof found === 'string') {
      this.complain(found);
      return;
    }
    this.app.go({ fen: rootFen(fenOf(found)), play: [], at: 0, offset: 0 }, 'push');
  }
}

const MAX_QUOTED = 40;

const shorten = (text: string): string => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

const refusal = (word: string, before: number): string =>
  before === 0
    ? `${shorten(word)} is not a legal move here.`
    : `${shorten(word)} is not a legal move after the ${before === 1 ? 'move' : `${before} moves`} before it.`;
