/** On a narrow screen the moves and the games are two tabs below the board. */

import { button, h } from '../dom.ts';
import { count } from '../format.ts';

export class Tabs {
  readonly element: HTMLElement;
  private readonly moves = button('Moves', () => this.show(false));
  private readonly games = button('Games', () => this.show(true));

  constructor(
    /** The element that shows one of the two. */
    private readonly view: () => HTMLElement,
  ) {
    this.element = h(
      'div',
      { class: 'row list-tabs', role: 'group', 'aria-label': 'Lists' },
      this.moves,
      this.games,
    );
    this.mark(false);
  }

  /** The number of games; null if it is not known. */
  count(games: number | null): void {
    this.games.textContent = games === null ? 'Games' : `Games · ${count(games)}`;
  }

  private show(games: boolean): void {
    this.view().classList.toggle('shows-games', games);
    this.mark(games);
  }

  private mark(games: boolean): void {
    this.moves.setAttribute('aria-pressed', String(!games));
    this.games.setAttribute('aria-pressed', String(games));
  }
}
