/** The conditions that are used most, above the results. All others are in the form (filterform.ts). */

import type { App } from '../app.ts';
import { type Child, fill, h, submit, textInput } from '../dom.ts';
import { FILTERS, type Filter, type FilterValues, joinRange, splitRange } from '../filters.ts';
import { completeNames } from './names.ts';

/** Some controls and the conditions that they are for. */
interface Part {
  names: readonly string[];
  element: HTMLElement;
  read(): Readonly<Record<string, string>>;
  write(values: FilterValues): void;
}

export class CommonBar {
  readonly element: HTMLElement;
  private readonly parts: readonly Part[];
  /** What the parts made of the conditions that they show. */
  private readonly shown = new Map<Part, string>();

  constructor(
    private readonly app: App,
    ...more: Child[]
  ) {
    const known = (...names: string[]): Filter[] =>
      names.flatMap((name) => FILTERS.find((filter) => filter.name === name) ?? []);
    this.parts = [
      ...known('player').map(() => playerPart(() => app.state.source)),
      ...known('elo').map((filter) => rangePart(filter, 'Rating', '4', true)),
      ...known('speed', 'result').map(choicePart),
      ...known('date').map((filter) => rangePart(filter, 'Years', '6', false)),
    ];
    this.element = h(
      'form',
      {
        class: 'row common',
        'aria-label': 'Common conditions',
        on: { ...submit(() => this.apply()), change: () => this.apply() },
      },
      this.parts.map((part) => part.element),
      more,
      h('button', { type: 'submit', class: 'hidden', tabindex: '-1' }, 'Apply'),
    );
  }

  show(values: FilterValues): void {
    for (const part of this.parts) {
      part.write(values);
      this.shown.set(part, JSON.stringify(part.read()));
    }
  }

  private apply(): void {
    const filters: Record<string, readonly string[]> = { ...this.app.state.filters };
    for (const part of this.parts) {
      const read = part.read();
      // What nobody has changed stays as it is.
      if (this.shown.get(part) === JSON.stringify(read)) continue;
      for (const name of part.names) delete filters[name];
      for (const [name, value] of Object.entries(read)) if (value !== '') filters[name] = [value];
    }
    this.app.go({ filters, offset: 0 }, 'push');
  }
}

const group = (label: string, ...controls: Child[]): HTMLElement =>
  h(
    'span',
    { class: 'common-part', role: 'group', 'aria-label': label },
    h('span', { class: 'quiet', 'aria-hidden': 'true' }, label),
    controls,
  );

const SIDES = [
  ['player', 'either colour'],
  ['white', 'as White'],
  ['black', 'as Black'],
] as const;

function playerPart(source: () => string): Part {
  const name = textInput({ id: 'common-player', 'aria-label': 'Name of a player', placeholder: 'Carlsen' });
  const side = h(
    'select',
    { 'aria-label': 'Colour of the player' },
    SIDES.map(([value, text]) => h('option', { value }, text)),
  );
  return {
    names: SIDES.map(([side]) => side),
    element: group('Player', name, side, completeNames(name, source)),
    // A colour without a name is no condition.
    read: () => ({ [name.value.trim() === '' ? 'player' : side.value]: name.value.trim() }),
    write: (values) => {
      const given = SIDES.find(([side]) => values[side]);
      name.value = given ? (values[given[0]]?.[0] ?? '') : '';
      if (given) side.value = given[0];
    },
  };
}

function rangePart(filter: Filter, label: string, size: string, numeric: boolean): Part {
  const [from, to] = ['from', 'to'].map((end) =>
    textInput({
      'aria-label': `${label}, ${end}`,
      placeholder: end,
      size,
      title: filter.help,
      inputmode: numeric ? 'numeric' : null,
    }),
  ) as [HTMLInputElement, HTMLInputElement];
  return {
    names: [filter.name],
    element: group(label, from, '–', to),
    read: () => ({ [filter.name]: joinRange(from.value, to.value) }),
    write: (values) => {
      [from.value, to.value] = splitRange(values[filter.name]?.[0] ?? '');
    },
  };
}

/** One of the choices, or several that the form or the address has. */
function choicePart(filter: Filter): Part {
  const select = h('select', { 'aria-label': filter.label });
  const words = (value: string): string =>
    value.replaceAll('1/2', '½').replaceAll('-', '–').replaceAll(',', ', ');
  const option = (value: string): HTMLElement => h('option', { value }, words(value) || 'any');
  return {
    names: [filter.name],
    element: group(filter.label, select),
    read: () => ({ [filter.name]: select.value }),
    write: (values) => {
      const value = values[filter.name]?.[0] ?? '';
      fill(select, [...new Set(['', ...filter.choices, value])].map(option));
      select.value = value;
    },
  };
}
