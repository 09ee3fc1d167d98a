/** Moves of the archive to which a file of games, as a repertoire of one side, has no answer. */

import type { App } from '../app.ts';
import { button, type Child, fill, h } from '../dom.ts';
import type { Known } from '../explorer/known.ts';
import { games as gamesInWords, percent } from '../format.ts';
import { link } from '../links.ts';
import type { Game } from '../types.ts';
import type { DroppedFile } from './file.ts';
import { type Gap, gaps, type Side } from './gaps.ts';

/** Games of a file that are read. */
const MOST_READ = 1000;
const MOST_GAPS = 50;

/** Moves to which the file, as a repertoire of one side, has no answer. */
export class RepertoirePart {
  readonly element: HTMLElement;
  private readonly body = h('div', { 'aria-live': 'polite' });
  private asking = new AbortController();
  private file: DroppedFile | null = null;
  private known: Known | null = null;

  constructor(private readonly app: App) {
    const of = (side: Side, title: string): HTMLElement => button(title, () => void this.find(side));
    this.element = h(
      'section',
      { class: 'repertoire', 'aria-label': 'Repertoire' },
      h('h2', {}, 'Moves without an answer'),
      h(
        'p',
        { class: 'quiet' },
        'The file as a repertoire: moves played in the archive after which the file has no move.',
      ),
      h('p', { class: 'row' }, of('white', 'For White'), of('black', 'For Black')),
      this.body,
    );
  }

  show(file: DroppedFile, known: Known): void {
    this.asking.abort();
    this.file = file;
    this.known = known;
    fill(this.body);
  }

  /** Ends a comparison that is under way. */
  stop(): void {
    this.asking.abort();
  }

  private async find(side: Side): Promise<void> {
    const { file, known } = this;
    if (!file || !known) return;
    this.asking.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { signal } = asking;
    const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the comparison' });
    fill(
      this.body,
      h(
        'p',
        { class: 'row searching' },
        bar,
        button('Cancel', () => {
          asking.abort();
          fill(this.body);
        }),
      ),
    );
    try {
      const found = await gaps(gamesOf(file), side, known, signal, (part) => {
        bar.value = part;
      });
      if (!signal.aborted) fill(this.body, this.listed(found, side));
    } catch (error) {
      if (signal.aborted) return;
      fill(
        this.body,
        h('p', { class: 'error', role: 'alert' }, error instanceof Error ? error.message : String(error)),
      );
    }
  }

  private listed(found: readonly Gap[], side: Side): Child {
    if (found.length === 0) return h('p', {}, 'The file has an answer to all moves of the archive.');
    return h(
      'ol',
      { class: 'gaps' },
      found
        .slice(0, MOST_GAPS)
        .map(({ fen, play, text, games, of }) =>
          h(
            'li',
            {},
            link(
              this.app,
              { view: 'explorer', fen, play, at: play.length, offset: 0, flip: side === 'black' },
              {},
              text,
            ),
            h('span', { class: 'quiet' }, ` ${gamesInWords(games)}, ${percent(games, of)}`),
          ),
        ),
    );
  }
}

function* gamesOf(file: DroppedFile): Iterable<Game> {
  for (let number = 1; number <= Math.min(file.parts.length, MOST_READ); number += 1) {
    const game = file.game(number);
    if (game) yield game;
  }
}
