/**
 * Links to states of the page. A link leads to the state that the page has when it is followed, with the changes
 * of the link. A view keeps its content while the board is turned or the line goes on, so the addresses of all
 * links are set again after each change of the state.
 */

import type { App } from './app.ts';
import { type Attributes, type Child, h } from './dom.ts';
import { type State, write } from './state.ts';

/** What a link changes; a function if that depends on the state. */
export type Changes = Partial<State> | ((state: State) => Partial<State>);

const changesOf = new WeakMap<Element, Changes>();

/** A link with these changes. */
export function link(
  app: Pick<App, 'state'>,
  changes: Changes,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLAnchorElement {
  const anchor = h('a', attributes, children);
  lead(anchor, app.state, changes);
  return anchor;
}

/** Gives a link other changes. */
export function lead(anchor: HTMLAnchorElement, state: State, changes: Changes): void {
  changesOf.set(anchor, changes);
  setAddress(anchor, state, changes);
}

/** Sets the addresses of all links in the document. */
export function updateLinks(state: State): void {
  for (const anchor of document.querySelectorAll('a')) {
    const changes = changesOf.get(anchor);
    if (changes) setAddress(anchor, state, changes);
  }
}

function setAddress(anchor: HTMLAnchorElement, state: State, changes: Changes): void {
  const own = typeof changes === 'function' ? changes(state) : changes;
  anchor.setAttribute('href', write({ ...state, ...own }));
}
