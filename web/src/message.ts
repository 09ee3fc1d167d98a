/** Messages in place of content: errors, emptiness, waiting. */

import { button, type Child, h } from './dom.ts';

export const errorMessage = (error: Error | string, retry?: () => void): HTMLElement =>
  h(
    'div',
    { class: 'message error', role: 'alert' },
    h('p', {}, typeof error === 'string' ? error : error.message),
    retry && button('Try again', retry),
  );

/** Nothing was found, and what to do about it. */
export const emptyMessage = (title: string, ...advice: Child[]): HTMLElement =>
  h('div', { class: 'message' }, h('p', { class: 'strong' }, title), advice);

const DELAY_MS = 150;

/** Marks an element as waiting, visibly only after a moment, so that fast answers do not flicker. */
export class Busy {
  private timer = 0;

  constructor(private readonly element: HTMLElement) {}

  start(): void {
    this.element.setAttribute('aria-busy', 'true');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.element.classList.add('waiting'), DELAY_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.element.removeAttribute('aria-busy');
    this.element.classList.remove('waiting');
  }
}

/** Reads a short text to users of screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announce');
  if (region && region.textContent !== text) region.textContent = text;
}
