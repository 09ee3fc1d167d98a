/** What the page provides to its views: the state, and a way to change it. */

import type { State } from './state.ts';

export interface App {
  readonly state: State;
  readonly shown: Shown;
  /**
   * Shows the state with these changes. `push` makes an entry in the browser's history, so that its back
   * button returns here; `replace` does not, for steps along a line.
   */
  go(changes: Partial<State>, how: 'push' | 'replace'): void;
  /** Shows the explorer, and forgets the file of games that was shown. */
  closeFile(): void;
  /** Shows what the archives have now: they have changed. */
  renew(): void;
  /** Sets the title of the document again if this view is on the page: an answer may have changed its title. */
  retitle(view: View): void;
}

/** Where the games come from. */
export interface Shown {
  /** The title of a site; empty for none. */
  title: string;
  /** Files of this computer, which a reload of the page forgets. */
  isChosen: boolean;
}

/** A view fills the page below the header. */
export interface View {
  readonly element: HTMLElement;
  /** Title of the document. */
  title(state: State): string;
  show(state: State): void;
  /** Another view takes the place of this one. */
  hide?(): void;
  /** Handles a key, letters in lower case; true if it was one of this view. */
  key?(key: string): boolean;
}
