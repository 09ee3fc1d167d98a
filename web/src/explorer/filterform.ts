/** The form of all conditions, and the list of those in force. Names and kinds are in filters.ts. */

import type { Position } from 'chessops/chess';
import { ApiError } from '../api.ts';
import type { App } from '../app.ts';
import { fenOf, materialOf } from '../board/line.ts';
import { button, fill, h, reveal, submit, textInput, VERBATIM } from '../dom.ts';
import { ENDGAMES, endgameName } from '../endgames.ts';
import {
  describe,
  FILTERS,
  type Filter,
  type FilterValues,
  joinRange,
  kindOf,
  splitRange,
} from '../filters.ts';
import { hintOf } from '../hints.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import { completeNames } from './names.ts';

/** A condition's part of the form. It shows every value, also one that its controls cannot make. */
interface Field {
  element: HTMLElement;
  /** The values as they are in the form, also empty ones. */
  read(): string[];
  write(values: readonly string[]): void;
  /** Marks what the server did not accept; null removes the mark. */
  complain(problem: string | null): void;
}

/** Conditions that have the name of one player. */
const NAMES: readonly string[] = ['white', 'black', 'player'];

/** Conditions on positions, made of the position on the board. */
const FROM_POSITION: Readonly<Record<string, (at: Position) => string>> = {
  position: (at) => fenOf(at).split(' ').slice(0, 4).join(' '),
  board: (at) => fenOf(at).split(' ')[0] ?? '',
  material: materialOf,
};

export class FilterForm {
  /** The conditions in force. */
  readonly chips = h('div', { class: 'row chips' });
  /** The button that opens the form. */
  readonly opener = button('', () => this.toggle(), { class: 'opener', 'aria-controls': 'filters' });
  readonly element: HTMLFormElement;
  private readonly fields = new Map<string, Field>();
  private at: Position | null = null;
  /** The values that the fields show, and what the fields made of them. */
  private readonly written = new Map<string, { values: readonly string[]; shown: readonly string[] }>();

  constructor(private readonly app: App) {
    for (const filter of FILTERS) this.fields.set(filter.name, this.field(filter));
    this.element = h(
      'form',
      {
        class: 'filters',
        id: 'filters',
        'aria-label': 'Conditions on the games',
        hidden: true,
        on: submit(() => this.apply()),
      },
      [...new Set(FILTERS.map((filter) => filter.heading))].map((heading) =>
        h(
          'fieldset',
          {},
          h('legend', {}, heading),
          FILTERS.filter((filter) => filter.heading === heading).map(
            (filter) => this.fields.get(filter.name)?.element,
          ),
        ),
      ),
      h(
        'div',
        { class: 'row actions' },
        h('button', { type: 'submit', class: 'primary' }, 'Show games'),
        button('Clear', () => this.app.go({ filters: {}, offset: 0 }, 'push')),
        button('Close', () => this.toggle(false)),
      ),
    );
  }

  toggle(open = this.element.hidden): void {
    this.element.hidden = !open;
    this.opener.setAttribute('aria-expanded', String(open));
    if (open) this.element.querySelector('input')?.focus();
    else this.opener.focus();
  }

  /** Shows these conditions; `at` is the position that they can be made of. */
  show(values: FilterValues, at: Position): void {
    this.at = at;
    for (const [name, field] of this.fields) {
      const own = values[name] ?? [];
      field.write(own);
      this.written.set(name, { values: own, shown: field.read() });
      field.complain(null);
    }
    const active = FILTERS.filter((filter) => values[filter.name]);
    fill(this.opener, icon('filter'), active.length === 0 ? 'More' : `More (${active.length})`);
    this.opener.setAttribute('aria-expanded', String(!this.element.hidden));
    fill(
      this.chips,
      active.map((filter) => this.chip(filter, values)),
      (values.player || values.white || values.black) &&
        link(this.app, { view: 'player' }, { class: 'chip' }, "The player's page"),
    );
  }

  /** Shows an error of the server at the field that caused it. Returns whether there is one. */
  complain(error: Error): boolean {
    const field = error instanceof ApiError && error.parameter ? this.fields.get(error.parameter) : undefined;
    if (!field) return false;
    field.complain(error.message);
    if (this.element.hidden) this.toggle(true);
    field.element.querySelector<HTMLElement>('input, textarea, select')?.focus({ preventScroll: true });
    // Not at the edge, where the row of buttons is.
    field.element.scrollIntoView({ block: 'center' });
    return true;
  }

  private field(filter: Filter): Field {
    switch (kindOf(filter)) {
      case 'range':
        return rangeField(filter);
      case 'choices':
        return choicesField(filter);
      case 'flag':
        return flagField(filter);
      default: {
        const field = filter.name === 'material' ? materialField(filter) : textField(filter);
        const made = FROM_POSITION[filter.name];
        if (made)
          field.element.append(
            button('Use this position', () => this.at && field.write([made(this.at)]), {
              'aria-label': `${filter.label}: use this position`,
            }),
          );
        const input = field.element.querySelector('input');
        if (input && NAMES.includes(filter.name))
          field.element.append(completeNames(input, () => this.app.state.source));
        return field;
      }
    }
  }

  private chip(filter: Filter, values: FilterValues): HTMLElement {
    const { [filter.name]: _, ...others } = values;
    const text = describe(filter, values[filter.name] ?? []);
    return link(
      this.app,
      { filters: others, offset: 0 },
      {
        class: 'chip',
        title: 'Remove this condition',
        'aria-label': `Remove the condition ${text}`,
      },
      text,
      icon('close'),
    );
  }

  private apply(): void {
    const filters: Record<string, string[]> = {};
    for (const [name, field] of this.fields) {
      const read = field.read();
      const written = this.written.get(name);
      // What nobody has changed stays as it is.
      const isSame = written !== undefined && String(read) === String(written.shown);
      const values = (isSame ? [...written.values] : read)
        .map((value) => value.trim())
        .filter((value) => value !== '');
      if (values.length > 0) filters[name] = values;
    }
    this.toggle(false);
    this.app.go({ filters, offset: 0 }, 'push');
    // On a narrow screen the button may be folded away with the bar that it is in.
    reveal(this.opener.closest('form') ?? this.opener);
  }
}

const idOf = (filter: Filter): string => `filter-${filter.name}`;

/** The label, the controls, the place of a complaint and the hint. */
function frame(
  filter: Filter,
  controls: readonly HTMLElement[],
  group: boolean,
): Pick<Field, 'element' | 'complain'> {
  const complaint = h('span', { class: 'error', id: `${idOf(filter)}-problem` });
  const label = group
    ? h('span', { class: 'label', id: `${idOf(filter)}-label` }, filter.label)
    : h('label', { class: 'label', for: idOf(filter) }, filter.label);
  const role = group ? { role: 'group', 'aria-labelledby': `${idOf(filter)}-label` } : {};
  const inputs = h('span', { class: 'inputs' }, controls);
  return {
    element: h(
      'div',
      { class: `field ${kindOf(filter)}`, ...role },
      label,
      inputs,
      complaint,
      h('span', { class: 'hint' }, hintOf(filter)),
    ),
    complain(problem) {
      complaint.textContent = problem ?? '';
      for (const control of inputs.querySelectorAll('input, select, textarea')) {
        if (problem === null) {
          control.removeAttribute('aria-invalid');
          control.removeAttribute('aria-describedby');
        } else {
          control.setAttribute('aria-invalid', 'true');
          control.setAttribute('aria-describedby', complaint.id);
        }
      }
    },
  };
}

function textField(filter: Filter): Field {
  const attributes = { id: idOf(filter), name: filter.name, placeholder: filter.example };
  const input =
    kindOf(filter) === 'text'
      ? textInput(attributes)
      : h('textarea', { ...VERBATIM, ...attributes, rows: 2 });
  return {
    ...frame(filter, [input], false),
    read: () => (kindOf(filter) === 'lines' ? input.value.split('\n') : [input.value]),
    write: (values) => {
      input.value = values.join('\n');
    },
  };
}

/** A material, or an endgame by its name, which fills it. */
function materialField(filter: Filter): Field {
  const field = textField(filter);
  const input = field.element.querySelector('input') as HTMLInputElement;
  const select = h(
    'select',
    {
      'aria-label': 'Endgame',
      on: {
        change: () => {
          input.value = select.value;
        },
      },
    },
    h('option', { value: '' }, 'Choose an endgame'),
    ENDGAMES.map(({ name, material }) => h('option', { value: material }, name)),
  );
  const follow = (): void => {
    select.value = endgameName(input.value.trim()) === undefined ? '' : input.value.trim();
  };
  input.addEventListener('input', follow);
  field.element.append(
    select,
    h(
      'span',
      { class: 'hint' },
      'KRPKR has exactly one pawn. The endgames of the list have any number of pawns, unless their name says it; Pp=..4 added after a comma allows at most four.',
    ),
  );
  return {
    ...field,
    write: (values) => {
      field.write(values);
      follow();
    },
  };
}

function rangeField(filter: Filter): Field {
  const examples = splitRange(filter.example.split(',')[0] ?? '');
  // The numeric keyboard of phones has no minus sign.
  const numeric = filter.form === 'numbers' && !filter.example.includes('-');
  const [from, to] = ['from', 'to'].map((end, place) =>
    textInput({
      id: `${idOf(filter)}-${end}`,
      'aria-label': `${filter.label}, ${end}`,
      placeholder: examples[place] ?? '',
      inputmode: numeric ? 'numeric' : null,
    }),
  ) as [HTMLInputElement, HTMLInputElement];
  const controls = [from, h('span', { 'aria-hidden': 'true' }, '–'), to];
  return {
    ...frame(filter, controls, true),
    read: () => [joinRange(from.value, to.value)],
    write: (values) => {
      const value = values[0] ?? '';
      [from.value, to.value] = splitRange(value);
      // Several ranges need the place of both.
      for (const control of controls.slice(1)) control.hidden = value.includes(',');
    },
  };
}

function choicesField(filter: Filter): Field {
  const box = (value: string, checked = false): HTMLElement => {
    const input = h('input', { type: 'checkbox', value });
    input.checked = checked;
    return h('label', { class: 'check' }, input, value.replaceAll('1/2', '½').replace('-', '–'));
  };
  const { element, complain } = frame(
    filter,
    filter.choices.map((value) => box(value)),
    true,
  );
  const list = element.querySelector('.inputs') as HTMLElement;
  const boxes = (): HTMLInputElement[] => [...list.querySelectorAll('input')];
  return {
    element,
    complain,
    read: () => [
      boxes()
        .filter((box) => box.checked)
        .map((box) => box.value)
        .join(','),
    ],
    write: (values) => {
      const words = values
        .join(',')
        .split(',')
        .map((word) => word.trim());
      const chosen = new Map(words.filter(Boolean).map((word) => [word.toLowerCase(), word]));
      const known = filter.choices.map((value) => box(value, chosen.delete(value.toLowerCase())));
      // Other names of choices, such as draw.
      fill(
        list,
        known,
        [...chosen.values()].map((word) => box(word, true)),
      );
    },
  };
}

const ANSWERS = [
  ['', 'any'],
  ['true', 'yes'],
  ['false', 'no'],
] as const;

function flagField(filter: Filter): Field {
  const option = ([value, text]: readonly [string, string]): HTMLElement => h('option', { value }, text);
  const select = h('select', { id: idOf(filter), name: filter.name });
  return {
    ...frame(filter, [select], false),
    read: () => [select.value],
    write: (values) => {
      const value = values[0] ?? '';
      const known = ANSWERS.find(([answer]) => answer === value.toLowerCase());
      fill(select, ANSWERS.map(option), !known && option([value, value]));
      select.value = known?.[0] ?? value;
    },
  };
}
