/** Tables of results by a property of the games, such as the rating: each row leads to its games. */

import { address } from './api.ts';
import type { App } from './app.ts';
import { Asked } from './asked.ts';
import { h, own } from './dom.ts';
import { ecoName } from './econames.ts';
import { byValue, resultBar, total } from './explorer/resultbar.ts';
import { count, percent } from './format.ts';
import { type Changes, link } from './links.ts';
import { emptyMessage } from './message.ts';
import type { State } from './state.ts';
import { barTable } from './stats/charts.ts';
import type { Counted } from './types.ts';

type Value = string | number;

/** A property of games: a key of `/api/count`, and the words and the condition of each of its values. */
export interface Property {
  title: string;
  key: string;
  label(value: Value): string;
  /** What the value stands for, where that is known. */
  name?(value: Value): string | undefined;
  /** The condition that games with the value meet. */
  condition: string;
  value(value: Value): string;
}

const RATINGS = 200;

const band = (from: Value, between: string): string => `${from}${between}${Number(from) + RATINGS - 1}`;

const ratings = (title: string, key: string, condition: string): Property => ({
  title,
  key: `${key}:${RATINGS}`,
  label: (from) => band(from, '–'),
  condition,
  value: (from) => band(from, '..'),
});

const plain = (title: string, key: string, condition: string): Property => ({
  title,
  key,
  label: String,
  condition,
  value: String,
});

export const BY_RATING = ratings('Results by mean rating', 'elo', 'mean_elo');
export const BY_YEAR = plain('Results by year', 'year', 'date');
export const BY_SPEED = plain('Results by speed', 'speed', 'speed');
export const BY_ECO: Property = {
  ...plain('Openings', 'eco', 'eco'),
  name: (value) => ecoName(String(value)),
};
export const AGAINST = {
  white: ratings("Opponents' ratings", 'black_elo', 'black_elo'),
  black: ratings("Opponents' ratings", 'white_elo', 'white_elo'),
} as const;

export interface Options {
  /** The side whose score is stated. */
  side?: 'white' | 'black';
  /** The state whose games these are; that of the page by default. */
  of?: (state: State) => State;
  /** The values with the most games, at most `most`, instead of all in their order. */
  most?: number;
}

export class Results {
  private readonly asked: Asked<Counted>;

  constructor(
    private readonly app: App,
    private readonly property: Property,
    private readonly options: Options = {},
  ) {
    this.asked = new Asked<Counted>((answer) => this.table(answer));
  }

  get element(): HTMLElement {
    return this.asked.element;
  }

  /** Shows the results of the games of these parameters. */
  show(parameters: URLSearchParams): void {
    const asked = new URLSearchParams(parameters);
    asked.set('by', `${this.property.key},result`);
    this.asked.show(address('api/count', asked));
  }

  private table(answer: Counted): HTMLElement {
    const { side, most, of: stateOf = (state: State) => state } = this.options;
    const { title, label, name, condition, value } = this.property;
    const rows = byValue(answer);
    if (rows.length === 0) return emptyMessage('The games do not state it.');
    if (most === undefined) rows.sort(([one], [other]) => (one < other ? -1 : 1));
    else rows.sort(([, one], [, other]) => total(other) - total(one)).splice(most);
    return barTable(
      title,
      rows.map(([of, results]) => {
        const changes: Changes = (state) => {
          const own = stateOf(state);
          const filters = { ...own.filters, [condition]: [value(of)] };
          return { ...own, view: 'explorer', filters, offset: 0 };
        };
        const games = total(results);
        const score = side && percent(results[side] + results.draws / 2, games);
        return [
          [link(this.app, changes, {}, own(label(of))), name && h('span', { class: 'quiet' }, ' ', name(of))],
          resultBar(results),
          score ? `${score} of ${count(games)}` : count(games),
        ];
      }),
    );
  }
}
