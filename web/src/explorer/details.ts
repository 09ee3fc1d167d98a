/** Parts of the explorer that are closed at first, and ask the server when they are opened. */

import { address } from '../api.ts';
import type { App } from '../app.ts';
import { Asked } from '../asked.ts';
import { type Child, h } from '../dom.ts';
import { count, DASH, decimal, games, percent } from '../format.ts';
import { BY_RATING, BY_YEAR, Results } from '../results.ts';
import { atPosition, type State } from '../state.ts';
import type { Annotations } from '../types.ts';
import { LinesDrawn } from './linesdrawn.ts';

export class Details {
  readonly element: HTMLDetailsElement;
  private state: State | null = null;

  constructor(
    title: string,
    body: HTMLElement,
    private readonly ask: (parameters: URLSearchParams, state: State) => void,
  ) {
    this.element = h(
      'details',
      { class: 'part-details', on: { toggle: () => this.load() } },
      h('summary', {}, title),
      body,
    );
  }

  show(state: State): void {
    this.state = state;
    this.load();
  }

  private load(): void {
    if (this.state && this.element.open) this.ask(atPosition(this.state), this.state);
  }
}

/** A picture of the lines, results by rating and by year, and what clocks and evaluations say about the moves. */
export function details(app: App): Details[] {
  const results = [BY_RATING, BY_YEAR].map((property) => {
    const part = new Results(app, property);
    return new Details(property.title, part.element, (parameters) => part.show(parameters));
  });
  const asked = new Asked<Annotations>(annotations);
  const times = new Details('Thinking time, evaluation, blunders', asked.element, (parameters) =>
    asked.show(address('api/annotations', parameters)),
  );
  const drawn = new LinesDrawn(app);
  const lines = new Details('Lines as a picture', drawn.element, (_, state) => drawn.show(state));
  return [lines, ...results, times];
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
