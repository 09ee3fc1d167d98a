/** The buttons below a board. */

import { type Attributes, button, fill, h } from '../dom.ts';
import { type IconName, icon } from '../icons.ts';

/** Milliseconds that a move is shown while moves play by themselves. */
const PLAY_MS = 1200;

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
  private readonly player = control('play', 'Play the moves (A)', () => this.play());
  private playing = 0;

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
      this.player,
      h('span', { class: 'space' }),
      control('flip', 'Flip the board (F)', steps.flip),
      more,
    );
  }

  /** Which steps are possible. A button keeps the focus, so it is marked, not disabled. */
  show(back: boolean, forward: boolean): void {
    for (const b of this.backward) b.setAttribute('aria-disabled', String(!back));
    for (const b of this.forward) b.setAttribute('aria-disabled', String(!forward));
    this.player.setAttribute('aria-disabled', String(!forward));
    if (!forward) this.stop();
  }

  /** Whether a step forward or back is possible. */
  can(forward: boolean): boolean {
    const [first] = forward ? this.forward : this.backward;
    return first?.getAttribute('aria-disabled') === 'false';
  }

  step(forward: boolean): void {
    if (forward) this.steps.next();
    else this.steps.previous();
  }

  /** Plays the moves by themselves, or stops. */
  private play(): void {
    if (this.playing !== 0) {
      this.stop();
      return;
    }
    if (!this.can(true)) return;
    this.showPlaying(true);
    this.playing = window.setInterval(() => {
      // Another view may have taken the place of this one.
      if (this.element.isConnected) this.step(true);
      else this.stop();
    }, PLAY_MS);
  }

  private stop(): void {
    if (this.playing === 0) return;
    clearInterval(this.playing);
    this.playing = 0;
    this.showPlaying(false);
  }

  private showPlaying(isOn: boolean): void {
    fill(this.player, icon(isOn ? 'pause' : 'play'));
    this.player.setAttribute('aria-pressed', String(isOn));
  }

  key(key: string): boolean {
    if (key === 'a') {
      this.play();
      return true;
    }
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
