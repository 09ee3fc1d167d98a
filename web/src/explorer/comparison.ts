/** The moves of the position under two sets of conditions, side by side, with what differs. */

import { Latest } from '../api.ts';
import type { App } from '../app.ts';
import { type Child, fill, h, own } from '../dom.ts';
import { describe, FILTERS } from '../filters.ts';
import { count, DASH, percent } from '../format.ts';
import { link } from '../links.ts';
import { Busy, errorMessage } from '../message.ts';
import { read, type State, selection } from '../state.ts';
import type { ByResult, Explored } from '../types.ts';
import { total } from './resultbar.ts';

/** In the place of a set of conditions: all games. */
const ALL = '*';
/** Differences of fewer standard deviations are taken for chance. */
const DEVIATIONS = 2;

/** The conditions of a state, to compare with. */
export const conditionsOf = (state: State): string => selection(state).toString() || ALL;

export class Comparison {
  readonly element = h('section', { class: 'comparison', 'aria-label': 'Comparison' });
  private readonly body = h('div');
  private readonly busy = new Busy(this.body);
  private readonly requests = [new Latest(), new Latest()] as const;
  private shown = '';

  constructor(
    private readonly app: App,
    /** The address of the moves of a state. */
    private readonly addressOf: (state: State) => string,
  ) {}

  show(state: State): void {
    if (state.with === '') {
      this.shown = '';
      for (const request of this.requests) request.cancel();
      fill(
        this.element,
        link(
          this.app,
          (now) => ({ with: conditionsOf(now) }),
          { class: 'text-button' },
          'Compare these games with others',
        ),
      );
      return;
    }
    const { source, filters } = read(`?${state.with === ALL ? '' : state.with}`);
    const other = { ...state, source, filters };
    const urls = [this.addressOf(state), this.addressOf(other)] as const;
    if (urls.join() === this.shown) return;
    this.shown = urls.join();
    fill(
      this.element,
      h(
        'p',
        { class: 'row' },
        h('span', {}, 'Compared with ', own(inWords(other))),
        link(this.app, (now) => ({ source, filters, with: conditionsOf(now), offset: 0 }), {}, 'Exchange'),
        link(this.app, { with: '' }, {}, 'End the comparison'),
      ),
      this.body,
    );
    this.busy.start();
    const answers: (Explored | null)[] = [null, null];
    urls.forEach((url, i) => {
      this.requests[i]?.run<Explored>(
        url,
        (answer) => {
          answers[i] = answer;
          const [here, there] = answers;
          if (!here || !there) return;
          this.busy.stop();
          fill(this.body, table(here, there));
        },
        (error) => {
          this.shown = '';
          this.busy.stop();
          fill(
            this.body,
            errorMessage(error, () => this.show(state)),
          );
        },
      );
    });
  }
}

function inWords(state: State): string {
  const conditions = FILTERS.filter(({ name }) => state.filters[name]).map((filter) =>
    describe(filter, state.filters[filter.name] ?? []),
  );
  if (state.source !== '') conditions.unshift(state.source);
  return conditions.length === 0 ? 'all games' : conditions.join('; ');
}

const scoreOf = (counts: ByResult): number => (counts.white + counts.draws / 2) / total(counts);

function table(here: Explored, there: Explored): HTMLElement {
  const none: ByResult = { white: 0, draws: 0, black: 0 };
  const all = [total(here), total(there)] as const;
  const rows = new Map<string, [ByResult, ByResult]>();
  for (const move of here.moves) rows.set(move.san, [move, none]);
  for (const move of there.moves) rows.set(move.san, [rows.get(move.san)?.[0] ?? none, move]);
  const heads = ['Share', 'Compared', 'White scores', 'Compared'];
  return h(
    'table',
    {},
    h('caption', { class: 'hidden' }, 'Moves under both sets of conditions'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Move'),
        heads.map((title) => h('th', { scope: 'col', class: 'number' }, title)),
      ),
    ),
    h(
      'tbody',
      {},
      [...rows].map(([san, [one, other]]) => {
        const games = [total(one), total(other)] as const;
        return h(
          'tr',
          {},
          h('th', { scope: 'row' }, san),
          pair([games[0] / all[0], all[0], games[0]], [games[1] / all[1], all[1], games[1]]),
          pair([scoreOf(one), games[0], games[0]], [scoreOf(other), games[1], games[1]]),
        );
      }),
    ),
  );
}

/** A share, the number of games that it is of, and the number to state. */
type Share = readonly [share: number, of: number, games: number];

/** Two cells, of which the first is marked if the shares differ by more than chance. */
function pair(here: Share, there: Share): HTMLElement[] {
  const text = ([share]: Share): string => (Number.isFinite(share) ? percent(share, 1) : DASH);
  const difference = here[0] - there[0];
  const mean = (here[0] * here[1] + there[0] * there[1]) / (here[1] + there[1]);
  const deviation = Math.sqrt(mean * (1 - mean) * (1 / here[1] + 1 / there[1]));
  const differs =
    Number.isFinite(difference) && deviation > 0 && Math.abs(difference) >= DEVIATIONS * deviation;
  const cell = (share: Share, mark: Child): HTMLElement =>
    h(
      'td',
      { class: mark ? 'number differs' : 'number', title: `${count(share[2])} games` },
      text(share),
      mark,
    );
  const mark = differs && h('span', {}, difference > 0 ? ' ▲' : ' ▼');
  return [cell(here, mark), cell(there, false)];
}
