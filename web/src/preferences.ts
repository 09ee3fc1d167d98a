/** The dialog of settings: theme, colours of the board, the mouse wheel. The browser keeps them. */

import { button, h } from './dom.ts';
import { keepSetting, setting } from './settings.ts';

/** Choices of a setting: values and words. The first is the one until another is chosen. */
const CHOICES = {
  theme: [
    ['', 'As the system'],
    ['light', 'Light'],
    ['dark', 'Dark'],
  ],
  board: [
    ['', 'Green'],
    ['brown', 'Brown'],
    ['blue', 'Blue'],
    ['grey', 'Grey'],
  ],
  wheel: [
    ['', 'Goes through the moves'],
    ['off', 'Scrolls the page'],
  ],
} as const;

const TITLES = {
  theme: 'Colours of the page',
  board: 'Colours of the board',
  wheel: 'Mouse wheel over the board',
} as const;

type Name = keyof typeof CHOICES;

/** Settings that the style sheet knows, which static/theme.js applies before the page is drawn. */
const STYLED: readonly Name[] = ['theme', 'board'];

/** Keeps a setting and applies it. */
function choose(name: Name, value: string): void {
  keepSetting(name, value);
  if (!STYLED.includes(name)) return;
  const { dataset } = document.documentElement;
  if (value === '') delete dataset[name];
  else dataset[name] = value;
}

const dark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};

/** Changes from light to dark or back. */
export const toggleTheme = (): void => choose('theme', dark() ? 'light' : 'dark');

export class Preferences {
  readonly dialog: HTMLDialogElement;
  private readonly inputs: HTMLInputElement[] = [];

  constructor() {
    const group = (name: Name): HTMLElement =>
      h(
        'fieldset',
        {},
        h('legend', {}, TITLES[name]),
        h(
          'div',
          { class: 'row' },
          CHOICES[name].map(([value, label]) => this.choice(name, value, label)),
        ),
      );
    this.dialog = h(
      'dialog',
      { id: 'settings', 'aria-labelledby': 'settings-title' },
      h(
        'div',
        { class: 'row dialog-head' },
        h('h2', { id: 'settings-title' }, 'Settings'),
        h('span', { class: 'space' }),
        button('Close', () => this.dialog.close(), { class: 'primary', autofocus: true }),
      ),
      group('theme'),
      group('board'),
      group('wheel'),
      h('p', { class: 'quiet' }, 'This browser keeps them, and the width of the board.'),
    );
  }

  ask(): void {
    for (const input of this.inputs) input.checked = setting(input.name) === input.value;
    this.dialog.showModal();
  }

  private choice(name: Name, value: string, label: string): HTMLElement {
    const input = h('input', { type: 'radio', name, value, on: { change: () => choose(name, value) } });
    this.inputs.push(input);
    return h('label', { class: 'check' }, input, label);
  }
}
