/** The position editor: pieces on the board, side to move, castling, en passant, and the FEN of it all. */

import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Piece, Role } from 'chessground/types';
import { EMPTY_FEN, INITIAL_FEN } from 'chessops/fen';
import type { App, View } from './app.ts';
import { turn } from './board/board.ts';
import { fenOf, position, replay, rootFen } from './board/line.ts';
import { button, h, submit, textInput } from './dom.ts';
import type { State } from './state.ts';

const ROLES: readonly Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const RIGHTS = [
  ['K', 'White O-O'],
  ['Q', 'White O-O-O'],
  ['k', 'Black O-O'],
  ['q', 'Black O-O-O'],
] as const;

/** What a click on a square does: move pieces, put one, or remove one. */
type Brush = Piece | 'move' | 'erase';

export class Editor implements View {
  readonly element: HTMLElement;
  private readonly ground: Api;
  private readonly palette: { brush: Brush; element: HTMLButtonElement }[] = [];
  private brush: Brush = 'move';
  private readonly turn = h(
    'select',
    { id: 'turn' },
    h('option', { value: 'w' }, 'White'),
    h('option', { value: 'b' }, 'Black'),
  );
  private readonly enPassant = textInput({ id: 'en-passant', size: 3, maxlength: 2, placeholder: '–' });
  private readonly rights = new Map<string, HTMLInputElement>();
  private readonly fen = textInput({ id: 'editor-fen', class: 'fen-input' });
  private readonly problem = h('p', { class: 'error', role: 'status' });
  private readonly explore = button('Explore this position', () => this.use(), { class: 'primary' });
  /** Counters of the FEN, which the editor does not change. */
  private counters = '0 1';
  private edited = '';

  constructor(private readonly app: App) {
    const inner = h('div', {
      class: 'cg-wrap',
      role: 'img',
      'aria-label': 'Board to edit; the FEN field edits it by keyboard',
    });
    const board = h('div', { class: 'board' }, inner);
    this.ground = Chessground(inner, {
      movable: { free: true, color: 'both' },
      draggable: { deleteOnDropOff: true, showGhost: true },
      premovable: { enabled: false },
      drawable: { enabled: false },
      highlight: { lastMove: false, check: false },
      animation: { enabled: false },
      events: { change: () => this.changed() },
    });
    for (const type of ['pointerdown', 'pointermove'] as const) {
      inner.addEventListener(type, (event) => this.paint(event));
    }
    for (const input of [this.turn, this.enPassant]) input.addEventListener('input', () => this.changed());
    this.fen.addEventListener('input', () => this.typed());
    this.element = h(
      'div',
      { class: 'editor' },
      h('div', { class: 'board-column' }, this.row('black'), board, this.row('white')),
      h('div', { class: 'panel' }, h('h1', { tabindex: '-1' }, 'Set up a position'), this.form()),
    );
  }

  title(): string {
    return 'Set up a position';
  }

  show(state: State): void {
    const line = replay(state.fen, state.play);
    const at = line.positions[Math.min(state.at, line.sans.length)];
    if (turn(this.ground, state.flip)) this.choose(this.brush);
    const key = `${state.fen}|${state.play.slice(0, state.at).join()}`;
    if (at && key !== this.edited) {
      this.edited = key;
      this.load(fenOf(at));
    }
  }

  key(key: string): boolean {
    if (key === 'f') this.flip();
    else if (key === 'Escape') this.leave();
    else return false;
    return true;
  }

  private row(color: 'white' | 'black'): HTMLElement {
    const entry = (brush: Brush, name: string, style: string): HTMLButtonElement => {
      const element = button(null, () => this.choose(brush), {
        class: `piece-button ${style}`,
        'aria-label': name,
        title: name,
        'aria-pressed': 'false',
      });
      this.palette.push({ brush, element });
      return element;
    };
    return h(
      'div',
      { class: 'palette', role: 'group', 'aria-label': color === 'white' ? 'White pieces' : 'Black pieces' },
      ROLES.map((role) => entry({ role, color }, `${color} ${role}`, `${color} ${role}`)),
      color === 'white' ? entry('move', 'Move pieces', 'hand') : entry('erase', 'Remove pieces', 'erase'),
    );
  }

  private form(): HTMLElement {
    const check = ([right, label]: readonly [string, string]): HTMLElement => {
      const box = h('input', { type: 'checkbox', on: { change: () => this.changed() } });
      this.rights.set(right, box);
      return h('label', { class: 'check' }, box, label);
    };
    return h(
      'form',
      { class: 'editor-form', on: submit(() => this.use()) },
      h(
        'p',
        { class: 'quiet' },
        'Choose a piece and click squares, or drag pieces. A piece dragged off the board is removed.',
      ),
      h('div', { class: 'field' }, h('label', { class: 'label', for: 'turn' }, 'To move'), this.turn),
      h(
        'fieldset',
        { class: 'field' },
        h('legend', { class: 'label' }, 'Castling'),
        h('span', { class: 'inputs' }, RIGHTS.map(check)),
      ),
      h(
        'div',
        { class: 'field' },
        h('label', { class: 'label', for: 'en-passant' }, 'En passant square'),
        this.enPassant,
      ),
      h('div', { class: 'field' }, h('label', { class: 'label', for: 'editor-fen' }, 'FEN'), this.fen),
      this.problem,
      h(
        'div',
        { class: 'row actions' },
        this.explore,
        button('Games with these pieces, whoever is to move', () => this.searchBoard()),
      ),
      h(
        'div',
        { class: 'row actions' },
        button('Clear the board', () => this.load(EMPTY_FEN)),
        button('Starting position', () => this.load(INITIAL_FEN)),
        button('Flip', () => this.flip()),
        button('Cancel', () => this.leave()),
      ),
    );
  }

  private choose(brush: Brush): void {
    this.brush = brush;
    for (const entry of this.palette)
      entry.element.setAttribute('aria-pressed', String(entry.brush === brush));
    this.ground.selectSquare(null);
    this.ground.set({ viewOnly: brush !== 'move' });
    this.ground.state.dom.elements.board.classList.toggle('painting', brush !== 'move');
  }

  /** Puts the piece of the brush on the square at the pointer, also while it is dragged over squares. */
  private paint(event: PointerEvent): void {
    if (this.brush === 'move' || event.buttons !== 1) return;
    const square = this.ground.getKeyAtDomPos([event.clientX, event.clientY]);
    if (!square) return;
    this.ground.setPieces(new Map([[square, this.brush === 'erase' ? undefined : this.brush]]));
    this.changed();
  }

  /** The FEN of what is on the board and in the fields. */
  private current(): string {
    const rights = RIGHTS.map(([right]) => (this.rights.get(right)?.checked ? right : '')).join('') || '-';
    return `${this.ground.getFen()} ${this.turn.value} ${rights} ${this.enPassant.value.trim() || '-'} ${this.counters}`;
  }

  private changed(): void {
    this.fen.value = this.current();
    this.judge();
  }

  private typed(): void {
    const at = position(this.fen.value);
    if (typeof at !== 'string') this.load(this.fen.value.trim(), false);
    this.judge();
  }

  private load(fen: string, write = true): void {
    const [pieces = '', turn = 'w', rights = '-', enPassant = '-', half = '0', full = '1'] = fen.split(/\s+/);
    this.ground.set({ fen: pieces });
    this.turn.value = turn;
    for (const [right, box] of this.rights) box.checked = rights.includes(right);
    this.enPassant.value = enPassant === '-' ? '' : enPassant;
    this.counters = `${half} ${full}`;
    if (write) this.fen.value = fen;
    this.choose('move');
    this.judge();
  }

  private judge(): void {
    const at = position(this.fen.value);
    const problem = typeof at === 'string' ? at : null;
    this.problem.textContent = problem ?? '';
    this.explore.disabled = problem !== null;
  }

  private use(): void {
    const at = position(this.fen.value);
    if (typeof at === 'string') return;
    this.app.go({ view: 'explorer', fen: rootFen(fenOf(at)), play: [], at: 0, offset: 0 }, 'push');
  }

  private searchBoard(): void {
    const board = this.fen.value.trim().split(/\s+/)[0] ?? '';
    const filters = { ...this.app.state.filters, board: [board] };
    this.app.go({ view: 'explorer', fen: '', play: [], at: 0, filters, offset: 0 }, 'push');
  }

  private flip(): void {
    this.app.go({ flip: !this.app.state.flip }, 'replace');
  }

  private leave(): void {
    this.app.go({ view: 'explorer' }, 'push');
  }
}
