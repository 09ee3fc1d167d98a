/** The games that meet the conditions and pass through the position, a page at a time. */

import { ApiError, address, Latest } from '../api.ts';
import type { App } from '../app.ts';
import { type Child, fill, h, linkRow, own, reveal } from '../dom.ts';
import { count, DASH, name, rating, result, timeControl } from '../format.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import { Busy, emptyMessage, errorMessage } from '../message.ts';
import { atPosition, isStart, type State } from '../state.ts';
import type { GameList as Answer, GameSummary, Player } from '../types.ts';

const PAGE_SIZE = 50;

export class GameList {
  readonly element = h('section', { class: 'games', 'aria-label': 'Games' });
  private readonly body = h('div', { class: 'games-body' });
  private readonly status = h('p', { class: 'quiet', 'aria-live': 'polite' });
  private readonly download = h('a', { class: 'download', download: true }, icon('download'), 'PGN');
  private readonly pages = h('nav', { class: 'pages', 'aria-label': 'Pages of games' });
  private readonly busy = new Busy(this.body, this.status, this.pages);
  private readonly request = new Latest();
  private shown = '';

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
        this.download,
      ),
      this.body,
      this.pages,
    );
  }

  show(state: State): void {
    const parameters = atPosition(state);
    this.download.href = address('api/games.pgn', parameters);
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
    const to = offset + games.length;
    const more = total === null ? games.length === PAGE_SIZE : to < total;
    this.download.hidden = games.length === 0;
    this.status.textContent =
      games.length === 0
        ? total
          ? `none of ${count(total)}`
          : 'none'
        : `${count(offset + 1)}–${count(to)} of ${total === null ? 'more' : count(total)}`;
    fill(
      this.body,
      games.length === 0 ? this.empty(state, total) : gameTable(games, (...content) => this.link(...content)),
    );
    fill(
      this.pages,
      (offset > 0 || more) && [
        this.page('Previous', offset > 0 ? before(offset, total) : null),
        this.page('Next', more && games.length > 0 ? to : null),
      ],
    );
    this.counted(total);
  }

  private link(game: GameSummary, ...content: Child[]): HTMLAnchorElement {
    return link(this.app, { view: 'game', game: game.number, node: game.ply ?? 0 }, {}, content);
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
        filtered && h('li', {}, 'A name must match as a whole: write Carlsen* to match all that begins so.'),
      ),
    );
  }
}

/** Where the page before an offset starts; the last page before one beyond the end. */
function before(offset: number, total: number | null): number {
  const end = Math.min(offset, total ?? offset);
  return Math.max(0, (Math.ceil(end / PAGE_SIZE) - 1) * PAGE_SIZE);
}

const player = (side: Player, won: boolean): HTMLElement =>
  h(
    'span',
    { class: won ? 'won' : null },
    side.title && [h('span', { class: 'title' }, own(side.title)), ' '],
    own(name(side)),
    h('span', { class: 'quiet' }, ` ${rating(side.rating)}`),
  );

const COLUMNS = [
  ['Players', 'players'],
  ['Result', null],
  ['Date', null],
  ['Time', null],
  ['ECO', null],
  ['Plies', 'plies'],
] as const;

/** A link to a game. */
type GameLink = (game: GameSummary, ...content: Child[]) => HTMLAnchorElement;

/** A table of games; the whole row follows the link in it. */
const gameTable = (games: readonly GameSummary[], to: GameLink): HTMLTableElement =>
  h(
    'table',
    { class: 'game-table' },
    h('caption', { class: 'hidden' }, 'Games'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        COLUMNS.map(([title, kind]) => h('th', { scope: 'col', class: kind }, title)),
      ),
    ),
    h(
      'tbody',
      {},
      games.map((game) => gameRow(game, to)),
    ),
  );

function gameRow(game: GameSummary, to: GameLink): HTMLTableRowElement {
  const anchor = to(
    game,
    player(game.white, game.result === '1-0'),
    ' – ',
    player(game.black, game.result === '0-1'),
  );
  return linkRow(
    anchor,
    {},
    h('th', { scope: 'row', class: 'players' }, anchor),
    h('td', { class: 'result' }, result(game.result)),
    h('td', {}, game.date ?? DASH),
    h('td', { class: 'time', title: game.time_control }, timeControl(game.time_control)),
    h('td', { title: game.opening }, game.eco ?? DASH),
    h('td', { class: 'plies' }, count(game.plies)),
  );
}
