/** Where the games of the viewer are from: the archives, or another place (dropped/origin.ts). */

import { getBlob, Latest } from '../api.ts';
import type { Child } from '../dom.ts';
import { LISTED } from '../explorer/gamelist.ts';
import type { ViewName } from '../state.ts';
import type { Game } from '../types.ts';

/** Where the games of the view are from. */
export interface Origin {
  view: ViewName;
  /** The view that the game was opened from, and its name. */
  back: ViewName;
  backName: string;
  /** Requests a game; a later call cancels the one before. */
  load(number: number, done: (game: Game) => void, failed: (error: Error) => void): void;
  /** Numbers of the games of the list that was shown. */
  listed(): readonly number[];
  /** The address of the text of a game, and the text. */
  address(game: Game): string;
  text(game: Game): Promise<string>;
  /** What is added to a game that is shown: marks in its moves. */
  added?(game: Game, list: HTMLElement): Child;
}

/** The games of the archives. */
export function archived(): Origin {
  const request = new Latest();
  // Relative to the page, which need not be at the root of its server.
  const address = (game: Game): string => `api/game/${game.number}.pgn`;
  return {
    view: 'game',
    back: 'explorer',
    backName: 'Games',
    load: (number, done, failed) => request.run<Game>(`api/game/${number}`, done, failed),
    listed: () => LISTED,
    address,
    text: async (game) => (await getBlob(address(game), new AbortController().signal)).text(),
  };
}
