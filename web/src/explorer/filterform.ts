/** The form of all conditions, and the list of those in force. Names and kinds are in filters.ts. */

import type { Position } from 'chessops/chess';
import { ApiError } from '../api.ts';
import type { App } from '../app.ts';
import { fenOf, materialOf } from '../board/line.ts';
import { button, fill, h, reveal, submit } from '../dom.ts';
import { describe, FILTERS, type Filter, type FilterValues, kindOf } from '../filters.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import { choicesField, type Field, flagField, materialField, rangeField, textField } from './fields.ts';
import { completeNames } from './names.ts';

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
