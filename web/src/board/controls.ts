/** The buttons below a board. */

import { type Attributes, button, h } from '../dom.ts';
import { type IconName, icon } from '../icons.ts';

export interface Steps {
  first(): void;
  previous(): void;
  next(): void;
  last(): void;
  flip(): void;
}

export class Controls {
  readonly element: HTMLElement;
  private readonly backward: HTMLButtonElement[];
  private readonly forward: HTMLButtonElement[];

  constructor(
    private readonly steps: Steps,
    ...more: (Node | null)[]
  ) {
    const first = control('first', 'First position (Home)', steps.first);
    const previous = control('previous', 'Previous move (Left)', steps.previous);
    const next = control('next', 'Next move (Right)', steps.next);
    const last = control('last', 'Last position (End)', steps.last);
    this.backward = [first, previous];
    this.forward = [next, last];
    this.element = h(
      'div',
      { class: 'controls', role: 'group', 'aria-label': 'Moves' },
      first,
      previous,
      next,
      last,
      h('span', { class: 'space' }),
      control('flip', 'Flip the board (F)', steps.flip),
      more,
    );
  }

  /** Which steps are possible. A button keeps the focus, so it is marked, not disabled. */
  show(back: boolean, forward: boolean): void {
    for (const b of this.backward) b.setAttribute('aria-disabled', String(!back));
    for (const b of this.forward) b.setAttribute('aria-disabled', String(!forward));
  }

  key(key: string): boolean {
    const step = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last', f: 'flip' }[key];
    if (!step) return false;
    this.steps[step as keyof Steps]();
    return true;
  }
}

export const control = (
  name: IconName,
  title: string,
  action: () => void,
  attributes: Attributes = {},
): HTMLButtonElement =>
  button(icon(name), action, { class: 'icon-button', title, 'aria-label': title, ...attributes });
