/** The board: chessground with legal moves, and the choice of a piece when a pawn reaches the last rank. */

import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import type { Position } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import type { Move, Role } from 'chessops/types';
import { makeSquare, parseSquare, squareFile, squareRank } from 'chessops/util';
import { button, h } from '../dom.ts';
import { fenOf } from './line.ts';

const PROMOTIONS: readonly { role: Role; name: string }[] = [
  { role: 'queen', name: 'Queen' },
  { role: 'rook', name: 'Rook' },
  { role: 'bishop', name: 'Bishop' },
  { role: 'knight', name: 'Knight' },
];

export interface BoardView {
  fen: string;
  turn: 'white' | 'black';
  check: boolean;
  flip: boolean;
  lastMove: string | null;
  /** Null shows a board on which nothing can be moved. */
  legal: Position | null;
}

/** The view of a position of a line. */
export const viewOf = (at: Position, lastMove: string | null, flip: boolean): BoardView => ({
  fen: fenOf(at),
  turn: at.turn,
  check: at.isCheck(),
  flip,
  lastMove,
  legal: at,
});

export class Board {
  readonly element: HTMLElement;
  private readonly inner = h('div', { class: 'cg-wrap', role: 'img' });
  private readonly ground: Api;
  private shown: BoardView | null = null;
  private chooser: HTMLElement | null = null;
  /** Best moves of the engine. */
  private best: readonly string[] = [];

  constructor(private readonly played: (move: Move) => void) {
    this.element = h('div', { class: 'board' }, this.inner);
    this.ground = Chessground(this.inner, {
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 150 },
      draggable: { showGhost: true },
      premovable: { enabled: false },
      drawable: { enabled: true },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
    });
  }

  show(view: BoardView): void {
    this.closeChooser();
    this.shown = view;
    this.inner.setAttribute(
      'aria-label',
      `Board, ${view.turn === 'white' ? 'White' : 'Black'} to move: ${view.fen}`,
    );
    turn(this.ground, view.flip);
    this.ground.set({
      fen: view.fen,
      turnColor: view.turn,
      check: view.check,
      lastMove: view.lastMove ? squares(view.lastMove) : [],
      viewOnly: view.legal === null,
      movable: {
        color: view.legal ? view.turn : 'white',
        dests: view.legal ? (chessgroundDests(view.legal) as Map<Key, Key[]>) : new Map<Key, Key[]>(),
      },
    });
    this.hint(null);
  }

  /** Draws an arrow for a move that the pointer or the focus is on. */
  hint(uci: string | null): void {
    const visible = this.inner.clientWidth > 0;
    // The size that chessground keeps may be that of a board outside the document.
    this.ground.state.dom.bounds.clear();
    const arrow = (move: string, brush: string): DrawShape[] => {
      const [orig, dest] = squares(move);
      return orig && dest ? [{ orig, dest, brush }] : [];
    };
    const shapes = this.best.flatMap((move, i) => arrow(move, i === 0 ? 'paleGreen' : 'paleGrey'));
    if (uci) shapes.push(...arrow(uci, 'paleBlue'));
    this.ground.setAutoShapes(visible ? shapes : []);
  }

  /** Draws arrows for moves, the best first, until others are drawn. */
  arrows(best: readonly string[]): void {
    this.best = best;
    this.hint(null);
  }

  private moved(from: Key, to: Key): void {
    const at = this.shown?.legal;
    const [source, target] = [parseSquare(from), parseSquare(to)];
    if (!at || source === undefined || target === undefined) return;
    const rank = squareRank(target);
    if (at.board.getRole(source) === 'pawn' && (rank === 0 || rank === 7)) this.choose(source, target);
    else this.played({ from: source, to: target });
  }

  private choose(from: number, to: number): void {
    const view = this.shown;
    if (!view) return;
    const buttons = PROMOTIONS.map(({ role, name }) =>
      button(
        null,
        () => {
          this.closeChooser();
          this.played({ from, to, promotion: role });
        },
        { class: `piece-button ${view.turn} ${role}`, 'aria-label': name },
      ),
    );
    const file = view.flip ? 7 - squareFile(to) : squareFile(to);
    const top = (squareRank(to) === 7) !== view.flip;
    const dialog = h(
      'div',
      {
        class: `promotion ${top ? 'top' : 'bottom'}`,
        role: 'dialog',
        'aria-label': `Promotion on ${makeSquare(to)}`,
        style: { left: `${file * 12.5}%` },
        on: {
          keydown: (event: KeyboardEvent) => {
            if (event.key === 'Escape') this.show(view);
            event.stopPropagation();
          },
        },
      },
      buttons,
    );
    this.chooser = h('div', { class: 'promotion-shade', on: { click: () => this.show(view) } }, dialog);
    this.element.append(this.chooser);
    buttons[0]?.focus();
  }

  private closeChooser(): void {
    this.chooser?.remove();
    this.chooser = null;
  }
}

/**
 * Turns a board. Chessground makes the element of the squares again, and hears the pointer on it only if it is
 * not for viewing at that moment. Returns whether that was done.
 */
export function turn(ground: Api, flip: boolean): boolean {
  const orientation = flip ? 'black' : 'white';
  if (orientation === ground.state.orientation) return false;
  ground.set({ viewOnly: false });
  ground.set({ orientation });
  return true;
}

const squares = (uci: string): Key[] => [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
