/** The head of the explorer: the opening of the position, its games, and who scores how much in them. */

import { Latest } from '../api.ts';
import { type Child, fill, h, own } from '../dom.ts';
import { games as gamesInWords, percent } from '../format.ts';
import { isStart, type State } from '../state.ts';
import type { ByResult, Explored } from '../types.ts';
import { isWholeName } from './names.ts';
import { total } from './resultbar.ts';

export class Heading {
  readonly element = h('h1', { tabindex: '-1' });
  private readonly score = h('small');
  private readonly request = new Latest();

  constructor(
    /** The address of the results of a state, without its moves. */
    private readonly resultsOf: (state: State) => string,
  ) {}

  /** A text in place of an answer. */
  say(text: string): void {
    this.request.cancel();
    fill(this.element, text);
  }

  show(state: State, answer: Explored): void {
    const { opening } = answer;
    fill(
      this.element,
      opening && h('span', { class: 'eco' }, opening.eco),
      opening ? opening.name : isStart(state) ? 'Starting position' : 'Position without a name',
      this.score,
    );
    this.showScore(state, answer);
  }

  private showScore(state: State, answer: Explored): void {
    this.request.cancel();
    const all = total(answer);
    const say = (...score: Child[]): void => fill(this.score, gamesInWords(all), ' · ', score);
    const [side, another] = (['player', 'white', 'black'] as const).filter((one) => state.filters[one]);
    const name = (side && state.filters[side]?.[0]) ?? '';
    if (all === 0) fill(this.score);
    else if (side === undefined || another || (side === 'player' && !isWholeName(name)))
      say(`White scores ${percent(pointsOf(answer, 'white'), all)}`);
    else if (side !== 'player')
      say(
        own(name),
        ` scores ${percent(pointsOf(answer, side), all)} as ${side === 'white' ? 'White' : 'Black'}`,
      );
    else {
      fill(this.score, gamesInWords(all));
      // The games of the player with one colour; the others are those with the other.
      const { player: _, ...others } = state.filters;
      this.request.run<Explored>(
        this.resultsOf({ ...state, filters: { ...others, white: [name] } }),
        (asWhite) => {
          const points = pointsOf(asWhite, 'white') + pointsOf(answer, 'black') - pointsOf(asWhite, 'black');
          say(own(name), ` scores ${percent(points, all)}`);
        },
        () => undefined,
      );
    }
  }
}

/** The points of a side. */
const pointsOf = (results: ByResult, side: 'white' | 'black'): number => results[side] + results.draws / 2;
