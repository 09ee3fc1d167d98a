/**
 * The board with its controls: the part of a view that stays in sight. A handle sets its width, the mouse wheel over it
 * goes through the moves.
 */

import { type Child, h } from '../dom.ts';
import { keepSetting, setting } from '../settings.ts';
import type { Controls } from './controls.ts';

const SETTING = 'board-width';
/** Pixels: the least width, a step of the keys, and the grid of the board. */
const LEAST = 320;
const STEP = 32;
const GRID = 8;
/** The greatest part of the window. */
const MOST = 0.7;
/** What the wheel must turn for a move, and the milliseconds until the next. */
const TURN = 40;
const PAUSE_MS = 80;

/** A board with what is above, beside and below it. */
export function boardFrame(
  board: HTMLElement,
  controls: Controls,
  { above = null, below = null }: { above?: Child; below?: Child } = {},
): HTMLElement {
  listenToWheel(board, controls);
  return h('div', { class: 'board-frame' }, above, board, below, controls.element, handle());
}

/** Whether the wheel over the board goes through the moves. */
export const usesWheel = (): boolean => setting('wheel') !== 'off';

function listenToWheel(board: HTMLElement, controls: Controls): void {
  let turned = 0;
  let last = 0;
  board.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || !usesWheel()) return;
      const isForward = event.deltaY > 0;
      // At the end of the line the page scrolls.
      if (!controls.can(isForward)) return;
      event.preventDefault();
      if (event.timeStamp - last > 400 || turned > 0 !== isForward) turned = 0;
      // Lines and pages are not pixels.
      turned += event.deltaY * (event.deltaMode === 0 ? 1 : TURN);
      if (Math.abs(turned) < TURN || event.timeStamp - last < PAUSE_MS) return;
      turned = 0;
      last = event.timeStamp;
      controls.step(isForward);
    },
    { passive: false },
  );
}

/** Applies the width that was chosen. */
export function applyBoardWidth(): void {
  const width = Number(setting(SETTING));
  const { style } = document.documentElement;
  if (width >= LEAST) style.setProperty('--board-width', `${width}px`);
  else style.removeProperty('--board-width');
}

/** A handle at the edge of the board, for the pointer and for the arrow keys; a double click takes the choice back. */
function handle(): HTMLElement {
  const widest = (): number => Math.floor(innerWidth * MOST);
  const now = (): number => element.parentElement?.clientWidth ?? LEAST;
  const set = (width: number): void => {
    const kept = Math.min(widest(), Math.max(LEAST, Math.round(width / GRID) * GRID));
    keepSetting(SETTING, String(kept));
    applyBoardWidth();
    state();
  };
  const reset = (): void => {
    keepSetting(SETTING, '');
    applyBoardWidth();
    state();
  };
  const state = (): void => {
    element.setAttribute('aria-valuenow', String(now()));
    element.setAttribute('aria-valuemax', String(widest()));
  };
  const element = h('div', {
    class: 'board-handle',
    role: 'slider',
    tabindex: '0',
    'aria-label': 'Width of the board',
    'aria-orientation': 'horizontal',
    'aria-valuemin': LEAST,
    'aria-valuenow': LEAST,
    title: 'Width of the board; a double click takes the choice back',
    on: {
      focus: state,
      dblclick: reset,
      pointerdown: (event: PointerEvent) => {
        event.preventDefault();
        element.setPointerCapture(event.pointerId);
      },
      pointermove: (event: PointerEvent) => {
        if (element.hasPointerCapture(event.pointerId))
          set(event.clientX - (element.parentElement?.getBoundingClientRect().left ?? 0));
      },
      keydown: (event: KeyboardEvent) => {
        if (event.key === 'ArrowLeft') set(now() - STEP);
        else if (event.key === 'ArrowRight') set(now() + STEP);
        else if (event.key === 'Delete') reset();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  });
  return element;
}
