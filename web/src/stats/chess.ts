/** Statistics of what was played: results, openings by ECO code, ratings, years, speeds, games a month. */

import { address } from '../api.ts';
import type { App, View } from '../app.ts';
import { Asked } from '../asked.ts';
import { type Child, h } from '../dom.ts';
import { byValue, resultBar, total } from '../explorer/resultbar.ts';
import { count, games as gamesInWords, percent } from '../format.ts';
import { link } from '../links.ts';
import { emptyMessage } from '../message.ts';
import { BY_ECO, BY_RATING, BY_SPEED, BY_YEAR, Results } from '../results.ts';
import { START, type State, selection } from '../state.ts';
import type { ByResult, Counted } from '../types.ts';
import { type Bar, card, columns } from './charts.ts';
import { type Period, periods } from './periods.ts';
import { tabs } from './tabs.ts';

/** The volumes of the Encyclopaedia of Chess Openings. */
const VOLUMES: Readonly<Record<string, string>> = {
  A: 'Flank openings, and replies to 1. d4 other than d5 and Nf6',
  B: 'Replies to 1. e4 other than e5 and e6',
  C: '1. e4 e5, and the French Defence',
  D: '1. d4 d5, and the Grünfeld Defence',
  E: 'Indian defences',
};

/** All games of the source. */
const ofSource = ({ source, flip }: State): State => ({ ...START, source, flip });

/** Those with some conditions. */
const onlyWith =
  (filters: State['filters']): ((state: State) => State) =>
  (state) => ({ ...ofSource(state), filters });

export class StatisticsView implements View {
  readonly element: HTMLElement;
  private readonly results: Asked<Counted>;
  private readonly months: Asked<Counted>;
  private readonly openings: EcoList;
  private readonly parts: readonly Results[];

  constructor(private readonly app: App) {
    this.results = new Asked<Counted>((answer) => this.summarize(answer));
    this.months = new Asked<Counted>((answer) => this.chart(answer));
    this.openings = new EcoList(app, 1);
    const properties = [BY_RATING, BY_YEAR, BY_SPEED];
    this.parts = properties.map((property) => new Results(app, property, { of: ofSource }));
    this.element = h(
      'div',
      { class: 'statistics' },
      h('h1', { tabindex: '-1' }, 'Statistics'),
      tabs(app, 'statistics'),
      h(
        'div',
        { class: 'cards-grid' },
        card('Results', null, this.results.element),
        card('Openings', 'By the ECO codes of the games', this.openings.element),
        this.parts.map((part, i) => card(properties[i]?.title ?? '', null, part.element)),
        card('Games a month', 'A click shows the games', this.months.element),
      ),
    );
  }

  title(): string {
    return 'Statistics';
  }

  show(state: State): void {
    const parameters = selection({ ...state, filters: {} });
    this.results.show(counted(parameters, 'result'));
    this.months.show(counted(parameters, 'month'));
    this.openings.show(parameters);
    for (const part of this.parts) part.show(parameters);
  }

  private summarize({ games, rows }: Counted): Child {
    const of = (result: string): number => Number(rows.find(([value]) => value === result)?.[1] ?? 0);
    const results: ByResult = { white: of('1-0'), draws: of('1/2-1/2'), black: of('0-1') };
    const fact = (label: string, result: string | null, n: number): HTMLElement =>
      h(
        'div',
        { class: 'fact' },
        h('dt', {}, label),
        h(
          'dd',
          {},
          link(this.app, onlyWith(result === null ? {} : { result: [result] }), {}, count(n)),
          result !== null && h('small', {}, ` ${percent(n, total(results))}`),
        ),
      );
    return [
      h(
        'dl',
        { class: 'facts' },
        fact('Games', null, games),
        fact('White won', '1-0', results.white),
        fact('Drawn', '1/2-1/2', results.draws),
        fact('Black won', '0-1', results.black),
      ),
      total(results) > 0 && resultBar(results),
    ];
  }

  private chart({ rows }: Counted): Child {
    const months = rows
      .filter(([month]) => month !== null)
      .map(([month, games]) => ({ month: String(month), games: Number(games) }))
      .sort((one, other) => (one.month < other.month ? -1 : 1));
    const { unit, list } = periods(months);
    if (list.length === 0) return emptyMessage('The games have no dates.');
    const bars = list.map(
      ({ label, games }): Bar => ({
        label,
        value: games,
        text: `${label}: ${gamesInWords(games)}`,
        action: () => this.app.go(onlyWith({ date: [label] })(this.app.state), 'push'),
      }),
    );
    const [first, last] = [list[0]?.label ?? '', list[list.length - 1]?.label ?? ''];
    const axis = [{ at: 0, label: first }, ...(first === last ? [] : [{ at: 1, label: last }])];
    const title: Record<Period, string> = { month: 'Games a month', year: 'Games a year' };
    return columns(bars, `${title[unit]} from ${first} to ${last}`, axis);
  }
}

const counted = (parameters: URLSearchParams, by: string): string => {
  const asked = new URLSearchParams(parameters);
  asked.set('by', by);
  return address('api/count', asked);
};

/** The codes that begin with a letter or two; each part opens to those within it. */
class EcoList {
  private readonly asked: Asked<Counted>;
  private parameters = new URLSearchParams();

  constructor(
    private readonly app: App,
    private readonly letters: 1 | 2,
  ) {
    this.asked = new Asked<Counted>((answer) => this.list(answer));
  }

  get element(): HTMLElement {
    return this.asked.element;
  }

  show(parameters: URLSearchParams): void {
    this.parameters = parameters;
    this.asked.show(counted(parameters, `eco:${this.letters},result`));
  }

  private list(answer: Counted): Child {
    const rows = byValue(answer).sort(([one], [other]) => (one < other ? -1 : 1));
    if (rows.length === 0) return emptyMessage('The games have no ECO codes.');
    return rows.map(([value, results]) => this.part(String(value), results));
  }

  private part(prefix: string, results: ByResult): HTMLElement {
    const range = this.letters === 1 ? `${prefix}00..${prefix}99` : `${prefix}0..${prefix}9`;
    const within =
      this.letters === 1 ? new EcoList(this.app, 2) : new Results(this.app, BY_ECO, { of: ofSource });
    const parameters = new URLSearchParams(this.parameters);
    parameters.set('eco', range);
    return h(
      'details',
      {
        class: 'eco-part',
        on: {
          toggle: (event: Event) => {
            if ((event.target as HTMLDetailsElement).open) within.show(parameters);
          },
        },
      },
      h(
        'summary',
        {},
        h('span', { class: 'eco' }, this.letters === 1 ? prefix : range.replace('..', '–')),
        h('span', { class: 'quiet' }, count(total(results))),
        resultBar(results),
      ),
      h('p', {}, VOLUMES[prefix], ' ', link(this.app, onlyWith({ eco: [range] }), {}, 'Show the games')),
      within.element,
    );
  }
}
