/** The conditions that are used most, above the results. All others are in the form (filterform.ts). */

import type { App } from '../app.ts';
import { button, type Child, fill, h, own, submit, textInput } from '../dom.ts';
import { ENDGAMES, endgameName } from '../endgames.ts';
import { FILTERS, type Filter, type FilterValues, joinRange, splitRange } from '../filters.ts';
import { hintOf } from '../hints.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import { completeNames, NameOffer } from './names.ts';

/** Some controls and the conditions that they are for. */
interface Part {
  names: readonly string[];
  element: HTMLElement;
  read(): Readonly<Record<string, string>>;
  write(values: FilterValues): void;
}

/** A part that was changed, and what it has now. */
interface Changed {
  part: Part;
  read: Readonly<Record<string, string>>;
}

export class CommonBar {
  readonly element: HTMLElement;
  /** Near names, which are offered if no player has the name. */
  readonly offer = new NameOffer();
  private readonly parts: readonly Part[];
  /** What the parts made of the conditions that they show. */
  private readonly shown = new Map<Part, string>();
  /** Shows all parts on a narrow screen. */
  private readonly unfold = button('', () => this.toggle(), { class: 'unfold', 'aria-expanded': 'false' });
  /** The conditions that names were offered under. */
  private offered: FilterValues | null = null;
  /** The part whose text is no player's name: it stays as it is until the condition on the player changes. */
  private wrong: Part | null = null;
  private sides = '';
  /** How many names that were entered are being looked up. */
  private applying = 0;

  constructor(
    private readonly app: App,
    ...more: Child[]
  ) {
    const known = (...names: string[]): Filter[] =>
      names.flatMap((name) => FILTERS.find((filter) => filter.name === name) ?? []);
    this.parts = [
      ...known('player').map(() => playerPart(() => app.state.source)),
      ...known('elo').map((filter) => rangePart(filter, 'Both ratings', '4', true)),
      ...known('speed', 'result').map(choicePart),
      ...known('date').map((filter) => rangePart(filter, 'Years', '6', false)),
      ...known('material').map(endgamePart),
    ];
    const [first, ...others] = this.parts.map((part) => part.element);
    this.element = h(
      'form',
      {
        class: 'row common',
        'aria-label': 'Common conditions',
        on: { ...submit(() => void this.apply()), change: () => void this.apply() },
      },
      first,
      this.unfold,
      others,
      more,
      h('button', { type: 'submit', class: 'hidden', tabindex: '-1' }, 'Apply'),
    );
  }

  show(values: FilterValues): void {
    const sides = JSON.stringify(SIDES.map(([side]) => values[side]));
    if (sides !== this.sides) this.wrong = null;
    this.sides = sides;
    for (const part of this.parts) {
      if (part === this.wrong) continue;
      part.write(values);
      this.shown.set(part, JSON.stringify(part.read()));
    }
    const inForce = FILTERS.filter(({ name }) => values[name]).length;
    fill(this.unfold, icon('filter'), inForce === 0 ? 'Conditions' : `Conditions (${inForce})`);
    if (this.wrong === null && this.offered !== values) this.offer.clear();
  }

  /** Offers names near to those of conditions that no player has. */
  async offerNames(values: FilterValues): Promise<void> {
    // A name that is being entered goes first.
    if (this.applying > 0) return;
    this.offered = values;
    for (const [side] of SIDES) {
      const name = values[side]?.[0] ?? '';
      if (name !== '' && (await this.check(side, name)) !== true) return;
    }
  }

  /** Whether a player has a name, and near names if not. */
  private check(side: string, name: string): Promise<boolean | null> {
    const to = (found: string): Child =>
      link(
        this.app,
        ({ filters }) => ({ filters: { ...withoutSides(filters), [side]: [found] }, offset: 0 }),
        { on: { click: () => this.forgetWrong() } },
        own(found),
      );
    return this.offer.check(name, this.app.state.source, to);
  }

  /** Lets the part with the wrong name show the condition again. */
  private forgetWrong(): void {
    this.wrong = null;
  }

  private toggle(): void {
    const isOpen = this.element.classList.toggle('unfolded');
    this.unfold.setAttribute('aria-expanded', String(isOpen));
  }

  /** The changed part whose name no player has; null if there is none, undefined if a later change is looked up. */
  private async wrongName(changed: readonly Changed[]): Promise<Part | null | undefined> {
    for (const { part, read } of changed)
      for (const [side] of SIDES) {
        const name = read[side] ?? '';
        if (name === '') continue;
        const isKnown = await this.check(side, name);
        if (isKnown !== true) return isKnown === null ? undefined : part;
      }
    return null;
  }

  private async apply(): Promise<void> {
    const changed = this.parts.flatMap((part) => {
      const read = part.read();
      // What nobody has changed stays as it is.
      return this.shown.get(part) === JSON.stringify(read) ? [] : [{ part, read }];
    });
    const { view } = this.app.state;
    this.applying += 1;
    const wrong = await this.wrongName(changed);
    this.applying -= 1;
    if (wrong === undefined || this.app.state.view !== view) return;
    if (this.wrong !== null && wrong === null) this.offer.clear();
    this.wrong = wrong;
    const right = changed.filter(({ part }) => part !== wrong);
    if (wrong !== null && right.length === 0) return;
    const filters: Record<string, readonly string[]> = { ...this.app.state.filters };
    for (const { part, read } of right) {
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

function withoutSides(filters: FilterValues): FilterValues {
  const { player: _, white: __, black: ___, ...others } = filters;
  return others;
}

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
      title: hintOf(filter),
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

/** A list of values, and another one that the form or the address has. */
function selectPart(
  name: string,
  label: string,
  known: readonly string[],
  words: (value: string) => string,
): Part {
  const select = h('select', { 'aria-label': label });
  const option = (value: string): HTMLElement => h('option', { value }, words(value) || 'any');
  return {
    names: [name],
    element: group(label, select),
    read: () => ({ [name]: select.value }),
    write: (values) => {
      const value = values[name]?.[0] ?? '';
      fill(select, [...new Set(['', ...known, value])].map(option));
      select.value = value;
    },
  };
}

/** One of the choices, or several that the form or the address has. */
const choicePart = ({ name, label, choices }: Filter): Part =>
  selectPart(name, label, choices, (value) =>
    value.replaceAll('1/2', '½').replaceAll('-', '–').replaceAll(',', ', '),
  );

const endgamePart = ({ name }: Filter): Part =>
  selectPart(
    name,
    'Endgame',
    ENDGAMES.map(({ material }) => material),
    (value) => endgameName(value) ?? value,
  );
