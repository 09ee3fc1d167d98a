/**
 * The lines from the position as a picture, as `ign tree --svg` draws them: a column for each ply, a box for each move,
 * as high as its share of the games. A box is a link to the position after its move.
 */

import type { App } from '../app.ts';
import { type Child, fill, h } from '../dom.ts';
import { count, games as inWords, percent } from '../format.ts';
import { link } from '../links.ts';
import { problemMessage } from '../message.ts';
import { atPosition, type State } from '../state.ts';
import type { ByResult } from '../types.ts';
import { Known } from './known.ts';
import { grow, type Lines } from './lines.ts';
import { total } from './resultbar.ts';

const PLIES = 5;
/** Boxes of a smaller part of the games have no room for their names. */
const LEAST = 0.02;
const MOST_MOVES = 8;

export class LinesDrawn {
  readonly element = h('div', { class: 'lines-drawn' });
  private asking = new AbortController();
  private shown = '';

  constructor(private readonly app: App) {}

  show(state: State): void {
    const parameters = atPosition(state).toString();
    if (parameters === this.shown) return;
    this.shown = parameters;
    this.asking.abort();
    this.asking = new AbortController();
    void this.draw(state, this.asking.signal);
  }

  private async draw(state: State, signal: AbortSignal): Promise<void> {
    const known = new Known(state);
    const start = state.play.slice(0, state.at);
    const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the picture' });
    fill(this.element, bar);
    this.element.setAttribute('aria-busy', 'true');
    try {
      const ask = (play: readonly string[]) => known.of(state.fen, [...start, ...play], MOST_MOVES, signal);
      const root = await grow(ask, { plies: PLIES, least: LEAST }, (part) => {
        bar.value = part;
      });
      if (!signal.aborted) fill(this.element, this.picture(state, root));
    } catch (error) {
      if (signal.aborted) return;
      this.shown = '';
      fill(this.element, problemMessage(error instanceof Error ? error.message : String(error)));
    } finally {
      if (!signal.aborted) this.element.removeAttribute('aria-busy');
    }
  }

  private picture(state: State, root: Lines): Child {
    const all = total(root);
    if (all === 0) return h('p', { class: 'quiet' }, 'No games here.');
    const start = state.play.slice(0, state.at);
    const columns = Math.max(...plies(root));
    const boxes: Child[] = [];
    const place = (lines: Lines, top: number): void => {
      let y = top;
      for (const next of lines.next) {
        const part = total(next) / all;
        const play = [...start, ...next.play];
        boxes.push(
          h(
            'li',
            {
              style: {
                left: `${((next.play.length - 1) / columns) * 100}%`,
                top: `${y * 100}%`,
                width: `${100 / columns}%`,
                height: `${part * 100}%`,
              },
            },
            link(
              this.app,
              { fen: state.fen, play, at: play.length, offset: 0 },
              {
                'aria-label': `${next.san}, ${inWords(total(next))}`,
                title: `${next.san}: ${inWords(total(next))}, ${percent(total(next), total(lines))}`,
              },
              h(
                'span',
                { class: 'label' },
                h('span', { class: 'name' }, next.san),
                ' ',
                h('span', { class: 'quiet' }, count(total(next))),
              ),
              strip(next),
            ),
          ),
        );
        place(next, y);
        y += part;
      }
    };
    place(root, 0);
    return [
      h('ul', { class: 'boxes', 'aria-label': 'Lines by their share of the games' }, boxes),
      h(
        'p',
        { class: 'quiet' },
        `Heights are shares of ${inWords(all)}; strips are results. Moves of less than ${percent(LEAST, 1)} are left out.`,
      ),
    ];
  }
}

function plies({ play, next }: Lines): number[] {
  return [play.length, ...next.flatMap(plies)];
}

/** The results of a box. */
const strip = (results: ByResult): Child =>
  h(
    'span',
    { class: 'strip', 'aria-hidden': 'true' },
    (['black', 'draws', 'white'] as const).map((side) =>
      h('span', { class: `part ${side}`, style: { 'flex-grow': String(results[side]) } }),
    ),
  );
