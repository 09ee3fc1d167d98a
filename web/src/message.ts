/** Messages in place of content: errors, emptiness, waiting. */

import { ApiError } from './api.ts';
import { button, type Child, h } from './dom.ts';

/** What is wrong, and what to do about it. */
export const problemMessage = (text: string, ...advice: Child[]): HTMLElement =>
  h('div', { class: 'message error', role: 'alert' }, h('p', {}, text), advice);

/** An error, with a button to try again, unless the same request would fail again. */
export const errorMessage = (error: Error, retry: () => void): HTMLElement =>
  problemMessage(error.message, !(error instanceof ApiError && error.isFinal) && button('Try again', retry));

/** Nothing was found, and what to do about it. */
export const emptyMessage = (title: string, ...advice: Child[]): HTMLElement =>
  h('div', { class: 'message' }, h('p', { class: 'strong' }, title), advice);

const DELAY_MS = 150;

/**
 * Marks an element as waiting, visibly only after a moment, so that fast answers do not flicker. What belongs to it
 * shows the old answer, too.
 */
export class Busy {
  private timer = 0;
  private readonly belonging: readonly HTMLElement[];

  constructor(
    private readonly element: HTMLElement,
    ...belonging: HTMLElement[]
  ) {
    this.belonging = belonging;
  }

  start(): void {
    this.element.setAttribute('aria-busy', 'true');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.mark(true), DELAY_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.element.removeAttribute('aria-busy');
    this.mark(false);
  }

  private mark(waiting: boolean): void {
    this.element.classList.toggle('waiting', waiting);
    for (const element of this.belonging) element.classList.toggle('outdated', waiting);
  }
}

/** Reads a short text to users of screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announce');
  if (!region) return;
  region.className = 'hidden';
  if (region.textContent !== text) region.textContent = text;
}

const SHOWN_MS = 2500;

/** Shows a short text for a moment, and reads it to users of screen readers. */
export function notify(text: string): void {
  announce(text);
  const region = document.getElementById('announce');
  if (!region) return;
  region.className = 'notice';
  setTimeout(() => {
    if (region.textContent === text) region.className = 'hidden';
  }, SHOWN_MS);
}

/** Copies a text, which is called by a word in what is shown. */
export function copy(text: string, what: string): void {
  if (!navigator.clipboard) {
    notify('The browser allows copying only on pages of this machine, or with https');
    return;
  }
  navigator.clipboard.writeText(text).then(
    () => notify(`${what} copied`),
    () => notify(`${what} could not be copied`),
  );
}
