/** A part of a view that is made of one answer of the server. */

import { Latest } from './api.ts';
import { type Child, fill, h } from './dom.ts';
import { Busy, errorMessage } from './message.ts';

export class Asked<T> {
  readonly element = h('div');
  private readonly busy = new Busy(this.element);
  private readonly request = new Latest();
  private shown = '';

  constructor(private readonly render: (answer: T) => Child) {}

  show(url: string): void {
    if (url === this.shown) return;
    this.shown = url;
    this.busy.start();
    this.request.run<T>(
      url,
      (answer) => {
        this.busy.stop();
        fill(this.element, this.render(answer));
      },
      (error) => {
        this.shown = '';
        this.busy.stop();
        fill(
          this.element,
          errorMessage(error, () => this.show(url)),
        );
      },
    );
  }
}
