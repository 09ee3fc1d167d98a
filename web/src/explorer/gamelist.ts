/** The games that meet the conditions and pass through the position, a page at a time. */

import { ApiError, address, Latest } from '../api.ts';
import type { App } from '../app.ts';
import { button, fill, h, reveal, submit, textInput } from '../dom.ts';
import { count } from '../format.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import { Busy, emptyMessage, errorMessage, notify } from '../message.ts';
import { atPosition, isStart, type State } from '../state.ts';
import type { GameList as Answer } from '../types.ts';
import { type Chosen, gameTable, orderInWords } from './gametable.ts';
import { previewGames } from './preview.ts';

const PAGE_SIZE = 50;

/** Orders of the list: what the server sorts by, and words. The heads of the columns sort by others, too. */
const ORDERS: readonly (readonly [order: string, words: string])[] = [
  ['', 'in the order of the archive'],
  ['elo:desc', 'highest mean rating first'],
  ['date:desc', 'latest first'],
  ['date', 'earliest first'],
  ['plies:desc', 'longest first'],
  ['plies', 'shortest first'],
  ['result', 'by result'],
];

/** More do not fit into an address. */
const MOST_CHOSEN = 2000;

/** The numbers of the games of the page that was shown last. */
export const LISTED: number[] = [];

export class GameList implements Chosen {
  readonly element = h('section', { class: 'games', 'aria-label': 'Games' });
  private readonly body = h('div', { class: 'games-body' });
  private readonly status = h('p', { class: 'quiet', 'aria-live': 'polite' });
  private readonly download = h('a', { class: 'download', download: true }, icon('download'), 'PGN');
  private readonly pages = h('nav', { class: 'pages', 'aria-label': 'Pages of games' });
  private readonly busy = new Busy(this.body, this.status, this.pages);
  private readonly request = new Latest();
  private readonly order = h('select', {
    'aria-label': 'Order of the games',
    title: 'The values of all games that were found are read: for millions of games that takes seconds',
    on: { change: () => this.app.go({ sort: this.order.value, offset: 0 }, 'push') },
  });
  private readonly forget = button('Choose none', () => {
    this.chosen.clear();
    for (const box of this.body.querySelectorAll<HTMLInputElement>('.choose input')) box.checked = false;
    this.showChosen();
  });
  private readonly chosen = new Set<number>();
  private shown = '';
  /** The address of the text of all games. */
  private all = '';

  constructor(
    private readonly app: App,
    /** Called with the number of all games; null if it is not known. */
    private readonly counted: (total: number | null) => void,
  ) {
    this.element.append(
      h(
        'header',
        { class: 'row' },
        h('h2', {}, 'Games'),
        this.status,
        h('span', { class: 'space' }),
        this.order,
        this.forget,
        this.download,
      ),
      this.body,
      this.pages,
    );
    previewGames(this.body, () => app.state.flip);
  }

  show(state: State): void {
    const parameters = atPosition(state);
    this.all = address('api/games.pgn', parameters);
    this.showChosen();
    fill(
      this.order,
      ORDERS.map(([value, text]) => h('option', { value }, text)),
      ORDERS.every(([order]) => order !== state.sort) &&
        h('option', { value: state.sort }, orderInWords(state.sort)),
    );
    this.order.value = state.sort;
    if (state.sort !== '') parameters.set('sort', state.sort);
    parameters.set('offset', String(state.offset));
    parameters.set('limit', String(PAGE_SIZE));
    parameters.set('count', 'true');
    const url = address('api/games', parameters);
    if (url === this.shown) return;
    this.shown = url;
    this.counted(null);
    this.busy.start();
    this.request.run<Answer>(
      url,
      (answer) => this.fill(state, answer),
      (error) => {
        this.clear();
        // The explorer reports a parameter that is wrong.
        if (!(error instanceof ApiError && error.parameter !== null))
          fill(
            this.body,
            errorMessage(error, () => this.show(state)),
          );
      },
    );
  }

  clear(): void {
    this.shown = '';
    this.request.cancel();
    this.busy.stop();
    this.download.hidden = true;
    this.status.textContent = '';
    fill(this.pages);
    fill(this.body);
    this.counted(null);
  }

  private fill(state: State, answer: Answer): void {
    this.busy.stop();
    const { games, total, offset } = answer;
    LISTED.splice(0, LISTED.length, ...games.map((game) => game.number));
    const to = offset + games.length;
    const more = total === null ? games.length === PAGE_SIZE : to < total;
    this.download.hidden = games.length === 0;
    this.status.textContent =
      games.length === 0
        ? total
          ? `none of ${count(total)}`
          : 'none'
        : `${count(offset + 1)}–${count(to)} of ${total === null ? 'more' : count(total)}`;
    fill(this.body, games.length === 0 ? this.empty(state, total) : gameTable(this.app, games, this));
    fill(
      this.pages,
      (offset > 0 || more) && [
        this.page('Previous', offset > 0 ? before(offset, total) : null),
        total !== null && this.jump(offset, total),
        this.page('Next', more && games.length > 0 ? to : null),
      ],
    );
    this.counted(total);
  }

  has(game: number): boolean {
    return this.chosen.has(game);
  }

  choose(game: number, on: boolean): void {
    if (!on) this.chosen.delete(game);
    else if (this.chosen.size < MOST_CHOSEN) this.chosen.add(game);
    else notify(`No more than ${count(MOST_CHOSEN)} games can be chosen`);
    this.showChosen();
  }

  /** The download has the games that are chosen, or all. */
  private showChosen(): void {
    const numbers = [...this.chosen].join();
    this.download.download = `${this.app.state.source || 'games'}.pgn`;
    this.download.href = numbers === '' ? this.all : `api/games.pgn?numbers=${numbers}`;
    fill(
      this.download,
      icon('download'),
      numbers === '' ? 'PGN' : `PGN of ${count(this.chosen.size)} chosen`,
    );
    this.forget.hidden = numbers === '';
  }

  /** A field for the number of a page. */
  private jump(offset: number, total: number): HTMLElement {
    const pages = Math.ceil(total / PAGE_SIZE);
    const number = textInput({
      'aria-label': `Page, of ${count(pages)}`,
      inputmode: 'numeric',
      size: 4,
      value: Math.floor(offset / PAGE_SIZE) + 1,
    });
    const go = (): void => {
      const page = Math.min(Math.max(1, Math.floor(Number(number.value)) || 1), pages);
      this.app.go({ offset: (page - 1) * PAGE_SIZE }, 'push');
      reveal(this.element);
    };
    return h('form', { class: 'row jump', on: submit(go) }, 'Page', number, `of ${count(pages)}`);
  }

  private page(label: string, offset: number | null): HTMLElement {
    if (offset === null) return h('span', { class: 'page' }, label);
    return link(this.app, { offset }, { class: 'page', on: { click: () => reveal(this.element) } }, label);
  }

  private empty(state: State, total: number | null): HTMLElement {
    if (state.offset > 0 && total !== 0) {
      return emptyMessage(
        'The list ends before this page.',
        h('ul', {}, h('li', {}, link(this.app, { offset: 0 }, {}, 'Show the first games'))),
      );
    }
    const filtered = Object.keys(state.filters).length > 0;
    return emptyMessage(
      filtered ? 'No game meets all conditions here.' : 'No game has this position.',
      h(
        'ul',
        {},
        filtered && h('li', {}, link(this.app, { filters: {}, offset: 0 }, {}, 'Remove all conditions')),
        !isStart(state) &&
          h(
            'li',
            {},
            link(this.app, { fen: '', play: [], at: 0, offset: 0 }, {}, 'Return to the starting position'),
          ),
      ),
    );
  }
}

/** Where the page before an offset starts; the last page before one beyond the end. */
function before(offset: number, total: number | null): number {
  const end = Math.min(offset, total ?? offset);
  return Math.max(0, (Math.ceil(end / PAGE_SIZE) - 1) * PAGE_SIZE);
}
