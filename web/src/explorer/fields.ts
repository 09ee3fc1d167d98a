/** The fields of the form of conditions, one kind for each kind of condition. */

import { fill, h, textInput, VERBATIM } from '../dom.ts';
import { ENDGAMES, endgameName } from '../endgames.ts';
import { type Filter, joinRange, kindOf, splitRange } from '../filters.ts';
import { hintOf } from '../hints.ts';

/** A condition's part of the form. It shows every value, also one that its controls cannot make. */
export interface Field {
  element: HTMLElement;
  /** The values as they are in the form, also empty ones. */
  read(): string[];
  write(values: readonly string[]): void;
  /** Marks what the server did not accept; null removes the mark. */
  complain(problem: string | null): void;
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

export function textField(filter: Filter): Field {
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
export function materialField(filter: Filter): Field {
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

export function rangeField(filter: Filter): Field {
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

export function choicesField(filter: Filter): Field {
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

export function flagField(filter: Filter): Field {
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
