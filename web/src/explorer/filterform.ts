/** The form of all conditions, and the list of those in force. Names and kinds are in filters.ts. */

import { ApiError } from '../api.ts';
import type { App } from '../app.ts';
import { button, fill, h, reveal, submit, textInput, VERBATIM } from '../dom.ts';
import {
  describe,
  FILTERS,
  type Filter,
  type FilterValues,
  joinRange,
  kindOf,
  splitRange,
} from '../filters.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';

/** A condition's part of the form. */
interface Field {
  element: HTMLElement;
  /** The values as they are in the form, also empty ones. */
  read(): string[];
  write(values: readonly string[]): void;
  /** Marks what the server did not accept; null removes the mark. */
  complain(problem: string | null): void;
}

export class FilterForm {
  /** The button that opens the form, and the conditions in force. */
  readonly bar = h('div', { class: 'row' });
  readonly element: HTMLFormElement;
  private readonly fields = new Map<string, Field>();

  constructor(private readonly app: App) {
    for (const filter of FILTERS) this.fields.set(filter.name, field(filter));
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
    this.opener()?.setAttribute('aria-expanded', String(open));
    if (open) this.element.querySelector('input')?.focus();
    else this.opener()?.focus();
  }

  show(values: FilterValues): void {
    for (const [name, field] of this.fields) {
      field.write(values[name] ?? []);
      field.complain(null);
    }
    const active = FILTERS.filter((filter) => values[filter.name]);
    fill(
      this.bar,
      button(
        [icon('filter'), active.length === 0 ? 'Conditions' : `Conditions (${active.length})`],
        () => this.toggle(),
        {
          class: 'opener',
          'aria-expanded': String(!this.element.hidden),
          'aria-controls': 'filters',
        },
      ),
      active.map((filter) => this.chip(filter, values)),
    );
  }

  /** Shows an error of the server at the field that caused it. Returns whether there is one. */
  complain(error: Error): boolean {
    const field = error instanceof ApiError && error.parameter ? this.fields.get(error.parameter) : undefined;
    if (!field) return false;
    field.complain(error.message);
    if (this.element.hidden) this.toggle(true);
    field.element.querySelector<HTMLElement>('input, textarea')?.focus();
    return true;
  }

  private opener(): HTMLElement | null {
    return this.bar.querySelector('.opener');
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
      const values = field
        .read()
        .map((value) => value.trim())
        .filter((value) => value !== '');
      if (values.length > 0) filters[name] = values;
    }
    this.toggle(false);
    this.app.go({ filters, offset: 0 }, 'push');
    reveal(this.bar);
  }
}

function field(filter: Filter): Field {
  switch (kindOf(filter)) {
    case 'range':
      return rangeField(filter);
    case 'choices':
      return choicesField(filter);
    case 'flag':
      return flagField(filter);
    default:
      return textField(filter);
  }
}

const idOf = (filter: Filter): string => `filter-${filter.name}`;

/** The place of the complaint about a field, which describes its controls. */
function complaints(
  filter: Filter,
  controls: readonly HTMLElement[],
): Pick<Field, 'complain'> & { complaint: HTMLElement } {
  const complaint = h('span', { class: 'error', id: `${idOf(filter)}-problem` });
  for (const control of controls) control.setAttribute('aria-describedby', complaint.id);
  return {
    complaint,
    complain(problem) {
      complaint.textContent = problem ?? '';
      for (const control of controls) {
        if (problem === null) control.removeAttribute('aria-invalid');
        else control.setAttribute('aria-invalid', 'true');
      }
    },
  };
}

/** The label, the controls, the hint and the place of a complaint. */
function frame(
  filter: Filter,
  controls: readonly HTMLElement[],
  group: boolean,
): Pick<Field, 'element' | 'complain'> {
  const { complaint, complain } = complaints(filter, controls);
  const label = group
    ? h('span', { class: 'label', id: `${idOf(filter)}-label` }, filter.label)
    : h('label', { class: 'label', for: idOf(filter) }, filter.label);
  const hint = h('span', { class: 'hint' }, filter.help);
  const role = group ? { role: 'group', 'aria-labelledby': `${idOf(filter)}-label` } : {};
  return {
    element: h(
      'div',
      { class: `field ${kindOf(filter)}`, ...role },
      label,
      h('span', { class: 'inputs' }, controls),
      hint,
      complaint,
    ),
    complain,
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
      [from.value, to.value] = splitRange(values[0] ?? '');
    },
  };
}

function choicesField(filter: Filter): Field {
  const boxes = filter.choices.map((value) => h('input', { type: 'checkbox', value }));
  const labels = boxes.map((box) =>
    h('label', { class: 'check' }, box, box.value.replaceAll('1/2', '½').replace('-', '–')),
  );
  return {
    ...frame(filter, labels, true),
    read: () => [
      boxes
        .filter((box) => box.checked)
        .map((box) => box.value)
        .join(','),
    ],
    write: (values) => {
      const chosen = (values[0] ?? '').split(',').map((v) => v.toLowerCase());
      for (const box of boxes) box.checked = chosen.includes(box.value.toLowerCase());
    },
  };
}

function flagField(filter: Filter): Field {
  const box = h('input', { type: 'checkbox', id: idOf(filter) });
  const { complaint, complain } = complaints(filter, [box]);
  return {
    element: h('div', { class: 'field flag' }, h('label', { class: 'check' }, box, filter.label), complaint),
    complain,
    read: () => (box.checked ? ['true'] : []),
    write: (values) => {
      box.checked = values.length > 0;
    },
  };
}
