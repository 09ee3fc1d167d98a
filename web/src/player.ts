/** A player's page: games and score as White and as Black, openings, speeds, opponents' ratings, years. */

import { address } from './api.ts';
import type { App, View } from './app.ts';
import { Asked } from './asked.ts';
import { type Child, fill, h, own, submit, textInput } from './dom.ts';
import { completeNames, NameOffer } from './explorer/names.ts';
import { resultBar, total } from './explorer/resultbar.ts';
import { count, percent, rating } from './format.ts';
import { link } from './links.ts';
import { emptyMessage } from './message.ts';
import { PlayerLines } from './playerlines.ts';
import { AGAINST, BY_ECO, BY_SPEED, BY_YEAR, Results } from './results.ts';
import { START, type State, selection } from './state.ts';
import { card } from './stats/charts.ts';
import type { Explored, GameList } from './types.ts';

const SIDES = ['white', 'black'] as const;
type Side = (typeof SIDES)[number];

const MOST_OPENINGS = 15;
const MOST_MOVES = '6';

/** The name that the conditions have of a player; empty if there is none. */
export const playerOf = ({ filters }: State): string =>
  (filters.player ?? filters.white ?? filters.black)?.[0] ?? '';

/** What leads to the page of a player. */
export const pageOf = (name: string) => ({
  view: 'player' as const,
  filters: { player: [name] },
  offset: 0,
});

/** All games of a player with a colour, under the other conditions. */
function asSide(state: State, side: Side): State {
  const { source, flip } = state;
  const { player: _, white: __, black: ___, ...others } = state.filters;
  return { ...START, source, flip, filters: { ...others, [side]: [playerOf(state)] } };
}

export class PlayerView implements View {
  readonly element: HTMLElement;
  private readonly heading = h('h1', { tabindex: '-1' });
  private readonly name = textInput({
    id: 'player-name',
    'aria-label': 'Name of a player',
    placeholder: 'Carlsen, Magnus',
  });
  private readonly parts: readonly SidePart[];
  private readonly body: HTMLElement;
  private readonly offer = new NameOffer();
  /** The address of a game of the player under the other conditions, and its answer. */
  private asked = '';
  /** Whether the player has games; null until it is known. */
  private hasGames: boolean | null = null;
  private readonly found: Asked<GameList>;

  constructor(private readonly app: App) {
    this.found = new Asked<GameList>(({ games }) => this.fill(games.length > 0));
    this.parts = SIDES.map((side) => new SidePart(app, side));
    this.body = h(
      'div',
      { class: 'sides' },
      this.parts.map((part) => part.element),
    );
    this.element = h(
      'div',
      { class: 'statistics player-page' },
      this.heading,
      h(
        'form',
        {
          class: 'row',
          on: submit(() => {
            if (this.name.value.trim() !== '') app.go(pageOf(this.name.value.trim()), 'push');
          }),
        },
        this.name,
        completeNames(this.name, () => app.state.source),
        h('button', { type: 'submit' }, 'Show'),
      ),
      this.offer.element,
      this.found.element,
      this.body,
    );
  }

  title(state: State): string {
    return playerOf(state) || 'Players';
  }

  show(state: State): void {
    const name = playerOf(state);
    this.name.value = name;
    fill(this.heading, name === '' ? 'Players' : own(name));
    this.found.element.hidden = name === '';
    if (name === '') {
      this.offer.clear();
      this.body.hidden = true;
      return;
    }
    const { player: _, white: __, black: ___, ...others } = state.filters;
    const parameters = selection({ ...state, filters: { ...others, player: [name] } });
    parameters.set('limit', '1');
    const url = address('api/games', parameters);
    if (url === this.asked) {
      if (this.hasGames !== null) this.fill(this.hasGames);
      return;
    }
    this.asked = url;
    this.hasGames = null;
    this.offer.clear();
    this.body.hidden = true;
    this.found.show(url);
  }

  /** Shows the games of the player if there are some, or says that there are none. */
  private fill(hasGames: boolean): Child {
    this.hasGames = hasGames;
    if (playerOf(this.app.state) === '') return null;
    this.body.hidden = !hasGames;
    if (hasGames) this.showParts();
    else void this.explain();
    return null;
  }

  private async explain(): Promise<void> {
    const { app } = this;
    const name = playerOf(app.state);
    const to = (near: string): Child => link(app, pageOf(near), {}, own(near));
    if (!(await this.offer.check(name, app.state.source, to))) return;
    fill(
      this.found.element,
      emptyMessage(
        'No game of this player meets the conditions in force.',
        h('p', {}, link(app, pageOf(name), {}, 'Remove the other conditions')),
      ),
    );
  }

  private showParts(): void {
    for (const part of this.parts) part.show(this.app.state);
  }
}

/** What is known of the games of a player with a colour. */
class SidePart {
  readonly element: HTMLElement;
  private readonly summary: Asked<Explored>;
  private readonly results: readonly [string, Results][];
  private readonly lines: PlayerLines;

  constructor(
    private readonly app: App,
    private readonly side: Side,
  ) {
    this.summary = new Asked<Explored>((answer) => this.summarize(answer));
    const options = { side, of: (state: State) => asSide(state, side) };
    this.results = [
      ['Openings', new Results(app, BY_ECO, { ...options, most: MOST_OPENINGS })],
      ['Speeds', new Results(app, BY_SPEED, options)],
      ["Opponents' ratings", new Results(app, AGAINST[side], options)],
      ['Years', new Results(app, BY_YEAR, options)],
    ];
    this.lines = new PlayerLines(app, side, options.of);
    const title = side === 'white' ? 'As White' : 'As Black';
    this.element = h(
      'section',
      { 'aria-label': title },
      card(title, null, this.summary.element),
      card('Lines', null, this.lines.element),
      this.results.map(([title, part]) => card(title, null, part.element)),
    );
  }

  show(state: State): void {
    const own = asSide(state, this.side);
    for (const [, part] of this.results) part.show(selection(own));
    const { [this.side]: _, ...others } = own.filters;
    const parameters = selection({ ...own, filters: others });
    parameters.set('player', playerOf(state));
    parameters.set('color', this.side);
    parameters.set('moves', MOST_MOVES);
    parameters.set('recentGames', '0');
    parameters.set('extended', 'true');
    this.summary.show(address('player', parameters));
    this.lines.show(own, parameters);
  }

  private summarize(answer: Explored): Child {
    const games = total(answer);
    const fact = (label: string, value: Child): HTMLElement =>
      h('div', { class: 'fact' }, h('dt', {}, label), h('dd', {}, value));
    const here = (state: State): State => asSide(state, this.side);
    const moves = answer.moves.map((move) =>
      h(
        'li',
        {},
        link(this.app, (state) => ({ ...here(state), play: [move.uci], at: 1 }), {}, move.san),
        ` ${percent(total(move), games)}`,
        move.opening && h('span', { class: 'quiet' }, ` ${move.opening.name}`),
      ),
    );
    return [
      h(
        'dl',
        { class: 'facts' },
        fact('Games', link(this.app, here, {}, count(games))),
        fact('Score', percent(answer[this.side] + answer.draws / 2, games)),
        fact('Performance', rating(answer.performance)),
      ),
      games > 0 && resultBar(answer),
      moves.length > 0 && h('ul', { class: 'row first-moves', 'aria-label': 'First moves' }, moves),
    ];
  }
}
