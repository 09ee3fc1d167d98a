/** How far a search has come that takes long, and a button that ends it. */

import { address, hasServer, Latest } from '../api.ts';
import { button, h } from '../dom.ts';
import { percent } from '../format.ts';

/** An answer that takes no longer needs no progress. */
const DELAY_MS = 600;
const POLL_MS = 500;

export class Searching {
  readonly element: HTMLElement;
  private readonly bar = h('progress', { max: 1, 'aria-label': 'Progress of the search' });
  private readonly text = h('span', { class: 'number' });
  private readonly request = new Latest();
  private timer = 0;

  constructor(cancel: () => void) {
    this.element = h(
      'div',
      { class: 'row searching', hidden: true },
      hasServer() ? 'Searching all games' : 'Reading the archives',
      this.bar,
      this.text,
      button('Cancel', cancel),
    );
  }

  /** Shows the progress of the search for these games, until it is stopped. */
  start(parameters: URLSearchParams): void {
    this.stop();
    if (!hasServer()) {
      // The reader of the page cannot report progress while it searches.
      this.timer = window.setTimeout(() => {
        this.element.hidden = false;
      }, DELAY_MS);
      return;
    }
    const url = address('api/progress', parameters);
    const ask = (): void =>
      this.request.run<{ progress: number | null }>(
        url,
        ({ progress }) => {
          this.element.hidden = progress === null;
          this.bar.value = progress ?? 0;
          this.text.textContent = percent(progress ?? 0, 1);
          this.timer = window.setTimeout(ask, POLL_MS);
        },
        // The search itself reports what is wrong.
        () => this.stop(),
        () => false,
      );
    this.timer = window.setTimeout(ask, DELAY_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.request.cancel();
    this.element.hidden = true;
  }
}
