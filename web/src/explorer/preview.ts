/** A small board with the last position of a game, while the pointer or the focus is on the game in a list. */

import { parseFen } from 'chessops/fen';
import { squareFile, squareRank } from 'chessops/util';
import { get } from '../api.ts';
import { h } from '../dom.ts';
import type { Game } from '../types.ts';

/** Milliseconds that the pointer rests on a game. */
const REST_MS = 250;
const GAP = 12;

/** A position as a picture. */
export function smallBoard(fen: string, flip: boolean): HTMLElement {
  const board = parseFen(fen).unwrap(
    (setup) => setup.board,
    () => null,
  );
  const pieces = [...(board ?? [])].map(([square, { role, color }]) => {
    const [file, rank] = [squareFile(square), squareRank(square)];
    return h('span', {
      class: `piece-button ${color} ${role}`,
      style: {
        left: `${12.5 * (flip ? 7 - file : file)}%`,
        top: `${12.5 * (flip ? rank : 7 - rank)}%`,
      },
    });
  });
  return h('div', { class: 'small-board', 'aria-hidden': 'true' }, pieces);
}

/** Shows previews of the games of a list, whose rows have the number of a game as `data-game`. */
export const previewGames = (list: HTMLElement, isFlipped: () => boolean): void =>
  void new Preview(list, isFlipped);

class Preview {
  private readonly element = h('div', { class: 'preview' });
  private timer = 0;
  private asking = new AbortController();

  constructor(
    private readonly list: HTMLElement,
    private readonly isFlipped: () => boolean,
  ) {
    const enter = ({ target }: Event): void => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-game]') : null;
      if (row) this.wait(row);
      else this.hide();
    };
    list.addEventListener('pointerover', (event) => {
      // A finger opens the game.
      if (event.pointerType === 'mouse') enter(event);
    });
    list.addEventListener('pointerleave', () => this.hide());
    list.addEventListener('click', () => this.hide());
    list.addEventListener('focusin', enter);
    list.addEventListener('focusout', () => this.hide());
    // Another view may take the place of the list without an event of its own.
    for (const event of ['keydown', 'popstate']) addEventListener(event, () => this.hide());
  }

  private wait(row: HTMLElement): void {
    const number = Number(row.dataset.game);
    if (number === Number(this.element.dataset.of)) return;
    this.hide();
    this.element.dataset.of = String(number);
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.timer = window.setTimeout(() => {
      get<Game>(`api/game/${number}`, signal).then(
        (game) => {
          if (!signal.aborted && row.isConnected) this.show(row, game);
        },
        // The game itself reports what is wrong.
        () => undefined,
      );
    }, REST_MS);
  }

  private show(row: HTMLElement, game: Game): void {
    const fen = game.moves.at(-1)?.fen ?? game.start;
    if (fen === null) return;
    this.element.replaceChildren(smallBoard(fen, this.isFlipped()));
    // Outside of the list, which may cut it off.
    document.body.append(this.element);
    const [at, own, frame] = [row, this.element, this.list].map((e) => e.getBoundingClientRect()) as [
      DOMRect,
      DOMRect,
      DOMRect,
    ];
    const isRoomBelow = at.bottom + GAP + own.height < innerHeight;
    const top = isRoomBelow ? at.bottom + GAP / 2 : at.top - own.height - GAP / 2;
    this.element.style.top = `${top}px`;
    this.element.style.left = `${Math.min(frame.left + frame.width / 3, innerWidth - own.width - GAP)}px`;
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.asking.abort();
    delete this.element.dataset.of;
    this.element.remove();
  }
}
