/**
 * The openings of a player with a colour: where he leaves what others have played, and the moves of opponents that he
 * meets badly.
 */

import { address, get } from './api.ts';
import type { App } from './app.ts';
import { movesText, replay } from './board/line.ts';
import { button, type Child, fill, h } from './dom.ts';
import { Known } from './explorer/known.ts';
import { eachMove, grow, type Lines } from './explorer/lines.ts';
import { total } from './explorer/resultbar.ts';
import { games as inWords, percent } from './format.ts';
import { link } from './links.ts';
import type { State } from './state.ts';
import type { Explored } from './types.ts';

type Side = 'white' | 'black';

/** How far lines are followed, and the least part and number of games of each move. */
const PLIES = 12;
const LEAST = 0.02;
const LEAST_GAMES = 3;
const MOST = 8;

export class PlayerLines {
  readonly element: HTMLElement;
  private readonly body = h('div', { 'aria-live': 'polite' });
  private readonly button = button('Look at the lines', () => void this.look());
  private asking = new AbortController();
  private state: State | null = null;
  private parameters = new URLSearchParams();

  constructor(
    private readonly app: App,
    private readonly side: Side,
    /** The state whose games these are. */
    private readonly of: (state: State) => State,
  ) {
    this.element = h('div', {}, this.button, this.body);
  }

  /** The games of these parameters of `/player`. */
  show(state: State, parameters: URLSearchParams): void {
    this.state = state;
    const other = parameters.toString() !== this.parameters.toString();
    if (!other) return;
    this.parameters = parameters;
    this.asking.abort();
    this.button.hidden = false;
    fill(this.body);
  }

  private async look(): Promise<void> {
    const { state } = this;
    if (!state) return;
    this.asking = new AbortController();
    const { signal } = this.asking;
    const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
    this.button.hidden = true;
    fill(this.body, bar);
    try {
      const ask = (play: readonly string[]): Promise<Explored> => {
        signal.throwIfAborted();
        const parameters = new URLSearchParams(this.parameters);
        parameters.delete('extended');
        parameters.set('moves', '12');
        if (play.length > 0) parameters.set('play', play.join(','));
        return get<Explored>(address('player', parameters), signal);
      };
      const root = await grow(ask, { plies: PLIES, least: LEAST }, (part) => {
        bar.value = part / 2;
      });
      const others = new Known({ ...state, filters: withoutPlayer(state) });
      const leaves = await this.leaving(root, others, signal, (part) => {
        bar.value = 0.5 + part / 2;
      });
      if (!signal.aborted) fill(this.body, this.listed(leaves, this.bad(root)));
    } catch (error) {
      if (signal.aborted) return;
      this.button.hidden = false;
      fill(
        this.body,
        h('p', { class: 'error', role: 'alert' }, error instanceof Error ? error.message : String(error)),
      );
    }
  }

  /** Whether the last of some moves is the player's. */
  private isOwn({ play }: Lines): boolean {
    return (play.length % 2 === 1) === (this.side === 'white');
  }

  private score(lines: Lines): number {
    return (lines[this.side] + lines.draws / 2) / total(lines);
  }

  /** His moves after which all games with the position are his own, and not his moves before them. */
  private async leaving(
    root: Lines,
    others: Known,
    signal: AbortSignal,
    progress: (part: number) => void,
  ): Promise<Lines[]> {
    const found: Lines[] = [];
    const own = [...eachMove(root)].filter((line) => this.isOwn(line) && total(line) >= LEAST_GAMES);
    for (const [i, line] of own.entries()) {
      progress(i / own.length);
      if (found.some(({ play }) => play.every((move, ply) => line.play[ply] === move))) continue;
      const answer = await others.of('', line.play, 0, signal);
      if (total(answer) <= total(line)) found.push(line);
    }
    return found.sort((a, b) => total(b) - total(a)).slice(0, MOST);
  }

  /** Moves of opponents after which he scores less than he does else, those that cost him most first. */
  private bad(root: Lines): Lines[] {
    const usual = this.score(root);
    const loss = (line: Lines): number => (usual - this.score(line)) * total(line);
    return [...eachMove(root)]
      .filter((line) => !this.isOwn(line) && total(line) >= LEAST_GAMES && loss(line) > 0)
      .sort((a, b) => loss(b) - loss(a))
      .slice(0, MOST);
  }

  private listed(leaves: readonly Lines[], bad: readonly Lines[]): Child {
    const item = (line: Lines): HTMLElement =>
      h(
        'li',
        {},
        link(
          this.app,
          (state) => ({ ...this.of(state), play: [...line.play], at: line.play.length }),
          {},
          movesText(replay('', line.play)),
        ),
        line.opening && ` ${line.opening}`,
        h('span', { class: 'quiet' }, ` ${inWords(total(line))}, scores ${percent(this.score(line), 1)}`),
      );
    const list = (title: string, lines: readonly Lines[], none: string): Child => [
      h('h3', {}, title),
      lines.length === 0 ? h('p', { class: 'quiet' }, none) : h('ol', { class: 'gaps' }, lines.map(item)),
    ];
    return [
      list(
        'Leaves the known',
        leaves,
        `In his first ${PLIES} plies that he played ${LEAST_GAMES} times, others played as he did.`,
      ),
      list('Meets badly', bad, 'No move is met worse than the others.'),
    ];
  }
}

/** The conditions on all games: without the player. */
function withoutPlayer({ filters }: State): State['filters'] {
  const { player: _, white: __, black: ___, ...others } = filters;
  return others;
}
