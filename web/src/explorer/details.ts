/** Parts of the explorer that are closed at first, and ask the server when they are opened. */

import { address, Latest } from '../api.ts';
import type { App } from '../app.ts';
import { type Child, fill, h } from '../dom.ts';
import { count, DASH, decimal, games, percent } from '../format.ts';
import { type Changes, link } from '../links.ts';
import { Busy, errorMessage } from '../message.ts';
import { atPosition, type State } from '../state.ts';
import { barTable } from '../stats/charts.ts';
import type { Annotations, Counted } from '../types.ts';
import { byValue, resultBar, total } from './resultbar.ts';

class Details<T> {
  readonly element: HTMLDetailsElement;
  private readonly body = h('div');
  private readonly busy = new Busy(this.body);
  private readonly request = new Latest();
  private state: State | null = null;
  private shown = '';

  constructor(
    title: string,
    private readonly path: string,
    private readonly extra: Readonly<Record<string, string>>,
    private readonly render: (answer: T, state: State) => Child,
  ) {
    this.element = h(
      'details',
      { class: 'part-details', on: { toggle: () => this.load() } },
      h('summary', {}, title),
      this.body,
    );
  }

  show(state: State): void {
    this.state = state;
    this.load();
  }

  private load(): void {
    const { state } = this;
    if (!state || !this.element.open) return;
    const parameters = atPosition(state);
    for (const [name, value] of Object.entries(this.extra)) parameters.set(name, value);
    const url = address(this.path, parameters);
    if (url === this.shown) return;
    this.shown = url;
    this.busy.start();
    this.request.run<T>(
      url,
      (answer) => {
        this.busy.stop();
        fill(this.body, this.render(answer, state));
      },
      (error) => {
        this.shown = '';
        this.busy.stop();
        fill(
          this.body,
          errorMessage(error, () => this.load()),
        );
      },
    );
  }
}

const RATINGS = 200;

/** Results by rating and by year, and what clocks and evaluations say about the moves. */
export const details = (app: App): Pick<Details<unknown>, 'element' | 'show'>[] => [
  byKey(app, 'Results by rating', `elo:${RATINGS}`, (from) => ({
    label: `${from}–${Number(from) + RATINGS - 1}`,
    filters: { mean_elo: [`${from}..${Number(from) + RATINGS - 1}`] },
  })),
  byKey(app, 'Results by year', 'year', (year) => ({
    label: String(year),
    filters: { date: [String(year)] },
  })),
  new Details<Annotations>('Thinking time, evaluation, blunders', 'api/annotations', {}, annotations),
];

/** A row for each value of a key, with a link to its games. */
function byKey(
  app: App,
  title: string,
  key: string,
  row: (value: string | number) => { label: string; filters: State['filters'] },
): Details<Counted> {
  return new Details<Counted>(title, 'api/count', { by: `${key},result` }, (answer) => {
    const rows = byValue(answer).sort(([one], [other]) => (one < other ? -1 : 1));
    return barTable(
      title,
      rows.map(([value, results]) => {
        const { label, filters } = row(value);
        const changes: Changes = (state) => ({ filters: { ...state.filters, ...filters }, offset: 0 });
        return [link(app, changes, {}, label), resultBar(results), count(total(results))];
      }),
    );
  });
}

function annotations(answer: Annotations): Child {
  const moves = answer.moves
    .filter((move) => move.clocks > 0 || move.evals > 0)
    .sort((one, other) => other.games - one.games);
  if (moves.length === 0)
    return h('p', { class: 'quiet' }, 'These games have neither clocks nor evaluations.');
  const cell = (text: string): HTMLElement => h('td', { class: 'number' }, text);
  const pawns = (n: number | null): string => (n === null ? DASH : `${n > 0 ? '+' : ''}${decimal(n, 2)}`);
  return [
    h(
      'table',
      { class: 'annotated' },
      h('caption', { class: 'hidden' }, 'Thinking time, evaluation and blunders by move'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Move', 'Games', 'Time', 'Evaluation', 'Blunders'].map((title, i) =>
            h('th', { scope: 'col', class: i > 0 && 'number' }, title),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        moves.map((move) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, move.san),
            cell(count(move.games)),
            cell(move.seconds === null ? DASH : `${decimal(move.seconds)} s`),
            cell(pawns(move.pawns)),
            cell(move.blunders === null ? DASH : percent(move.blunders, 1)),
          ),
        ),
      ),
    ),
    h(
      'p',
      { class: 'quiet' },
      answer.read < answer.games
        ? `Read in ${games(answer.read)} of ${count(answer.games)}.`
        : `Read in all ${games(answer.games)}.`,
    ),
  ];
}
