/** The explorer: the board, the moves played from the position, and the games through it. */

import type { Position } from 'chessops/chess';
import type { Move } from 'chessops/types';
import { ApiError, address, hasServer, Latest } from '../api.ts';
import type { App, View } from '../app.ts';
import { Board, viewOf } from '../board/board.ts';
import { Controls, control } from '../board/controls.ts';
import { EnginePanel } from '../board/engine.ts';
import { boardFrame } from '../board/frame.ts';
import { type Line, moveNumber, replay, uciOf } from '../board/line.ts';
import { button, fill, h } from '../dom.ts';
import { games as gamesInWords } from '../format.ts';
import { link } from '../links.ts';
import { announce, Busy, copy, emptyMessage, errorMessage, problemMessage } from '../message.ts';
import { atPosition, isStart, type State } from '../state.ts';
import type { Explored, ExplorerGame } from '../types.ts';
import { CommonBar } from './commonbar.ts';
import { Comparison } from './comparison.ts';
import { type Details, details } from './details.ts';
import { FilterForm } from './filterform.ts';
import { GameList } from './gamelist.ts';
import { Heading } from './heading.ts';
import { LineView } from './lineview.ts';
import { focusMove, moveTable } from './movetable.ts';
import { total } from './resultbar.ts';
import { Searching } from './searching.ts';
import { Tabs } from './tabs.ts';
import { topGames } from './topgames.ts';
import { Transpositions } from './transpositions.ts';

/** An answer that takes longer is a search. */
const SLOW_MS = 700;
/** More than any position has. */
const MOVES = '250';
const TOP_GAMES = '4';

export class Explorer implements View {
  readonly element: HTMLElement;
  private readonly board = new Board((move) => this.playMove(move));
  private readonly controls: Controls;
  private readonly lineView: LineView;
  private readonly engine: EnginePanel;
  private readonly filters: FilterForm;
  private readonly common: CommonBar;
  private readonly list: GameList;
  private readonly heading = new Heading((state) => treeAddress(state, { moves: '0', topGames: '0' }));
  private readonly tree = h('section', { class: 'tree', 'aria-label': 'Moves' });
  private readonly top = h('section', { class: 'top-games', 'aria-label': 'Best rated games' });
  private readonly busy = new Busy(this.tree, this.heading.element, this.top);
  private readonly request = new Latest();
  private readonly topRequest = new Latest();
  private readonly searching = new Searching(() => this.cancel());
  private readonly difference = h('p', { class: 'quiet difference', hidden: true });
  /** Games of the table and of the list; null while they are not known. */
  private readonly totals = { table: null as number | null, listed: null as number | null };
  private readonly tabs = new Tabs(() => this.element);
  private readonly details: readonly Details[];
  private readonly comparison: Comparison;
  private readonly transpositions = new Transpositions();
  private shown = '';
  /** Addresses whose answers took long: more like them are asked for only on request. */
  private readonly slow = new Set<string>();
  private answer: Explored | null = null;
  private order = '';

  constructor(private readonly app: App) {
    this.engine = new EnginePanel(this.board, (uci) => this.play([uci]));
    this.controls = new Controls(
      {
        first: () => this.step(0),
        previous: () => this.step(app.state.at - 1),
        next: () => this.step(app.state.at + 1),
        last: () => this.step(app.state.play.length),
        flip: () => app.go({ flip: !app.state.flip }, 'replace'),
      },
      control('edit', 'Set up a position (E)', () => app.go({ view: 'editor' }, 'push')),
      control('copy', 'Copy the link to this page', () => copy(location.href, 'Link')),
      this.engine.control,
    );
    this.details = details(app);
    this.comparison = new Comparison(app, movesAddress);
    this.lineView = new LineView(app, (ucis) => this.play(ucis));
    this.filters = new FilterForm(app);
    this.common = new CommonBar(app, this.filters.opener);
    this.list = new GameList(app, (total) => {
      this.explain(total, 'listed');
      this.tabs.count(total);
    });
    this.element = h(
      'div',
      { class: 'explorer' },
      h(
        'div',
        { class: 'board-column' },
        boardFrame(this.board.element, this.controls),
        this.engine.element,
        this.lineView.element,
      ),
      h(
        'div',
        { class: 'panel' },
        this.common.element,
        this.filters.chips,
        this.common.offer.element,
        this.filters.element,
        this.heading.element,
        this.searching.element,
        this.tabs.element,
        h(
          'div',
          { class: 'results' },
          h(
            'div',
            { class: 'moves-part' },
            this.tree,
            this.difference,
            this.comparison.element,
            this.details.map((part) => part.element),
            this.top,
          ),
          this.list.element,
        ),
      ),
    );
  }

  title(state: State): string {
    const line = replay(state.fen, state.play);
    return line.sans.length > 0 ? line.sans.slice(0, state.at).slice(-6).join(' ') : 'Explorer';
  }

  show(state: State): void {
    const line = replay(state.fen, state.play);
    const at = Math.min(state.at, line.sans.length);
    const current = line.positions[at];
    if (!current) return;
    this.board.show(viewOf(current, line.ucis[at - 1] ?? null, state.flip));
    this.engine.show(line.badRoot ? null : current);
    this.controls.show(at > 0, at < line.sans.length);
    this.lineView.show(state, line);
    this.common.show(state.filters);
    this.filters.show(state.filters, current);
    if (line.badRoot) {
      this.showBadRoot(line.badRoot);
      return;
    }
    this.showTree({ ...state, at }, line);
    this.list.show({ ...state, at });
    this.comparison.show({ ...state, at });
    for (const part of this.details) part.show({ ...state, at });
  }

  hide(): void {
    this.engine.show(null);
  }

  key(key: string): boolean {
    if (this.controls.key(key)) return true;
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp':
        focusMove(this.tree, key === 'ArrowDown' ? 1 : -1);
        return true;
      case 'g':
        this.engine.toggle();
        return true;
      case 'm':
        this.lineView.focusMove();
        return true;
      case '/':
        this.filters.toggle(true);
        return true;
      case 'e':
        this.app.go({ view: 'editor' }, 'push');
        return true;
      default:
        return false;
    }
  }

  private step(to: number): void {
    const { state } = this.app;
    const at = Math.max(0, Math.min(to, state.play.length));
    if (at !== state.at) this.app.go({ at, offset: 0 }, 'replace');
  }

  private playMove(move: Move): void {
    const { state } = this.app;
    const at = replay(state.fen, state.play).positions[state.at];
    if (at) this.play([uciOf(at, move)]);
  }

  private play(ucis: readonly string[]): void {
    const { state } = this.app;
    const line = { fen: state.fen, play: state.play.slice(0, state.at) };
    this.app.go({ ...after(line, state, ucis), offset: 0 }, 'push');
  }

  /** Ends the search under way. */
  private cancel(): void {
    const { state } = this.app;
    this.end();
    this.list.clear();
    fill(
      this.tree,
      emptyMessage(
        'The search was cancelled.',
        button('Search again', () => this.show(state)),
      ),
    );
  }

  private end(): void {
    this.shown = '';
    this.answer = null;
    this.board.hint(null);
    this.request.cancel();
    this.topRequest.cancel();
    this.searching.stop();
    this.busy.stop();
    this.explain(null, 'table');
  }

  private showBadRoot(problem: string): void {
    this.end();
    this.heading.say('No position');
    fill(this.top);
    const start = { fen: '', play: [], at: 0, offset: 0 };
    fill(
      this.tree,
      problemMessage(
        `The address has a position that cannot be shown. ${problem}`,
        h('p', {}, link(this.app, start, {}, 'Return to the starting position')),
      ),
    );
    this.list.clear();
  }

  private showTree(state: State, line: Line): void {
    const url = movesAddress(state);
    if (url === this.shown) {
      if (this.answer && this.order !== state.order) this.fillTree(state, line, this.answer);
      return;
    }
    this.shown = url;
    this.answer = null;
    this.explain(null, 'table');
    this.topRequest.cancel();
    this.busy.start();
    this.searching.start(atPosition(state));
    const start = performance.now();
    this.request.run<Explored>(
      url,
      (answer) => {
        if (performance.now() - start > SLOW_MS) this.slow.add(url);
        this.searching.stop();
        this.busy.stop();
        this.fill(state, line, answer);
      },
      (error) => {
        this.end();
        this.heading.say('No answer');
        fill(this.top);
        if (this.filters.complain(error))
          fill(this.tree, problemMessage('A condition is not valid; see the form.'));
        else if (error instanceof ApiError && error.parameter === 'source')
          fill(
            this.tree,
            problemMessage(
              error.message,
              h('p', {}, link(this.app, { source: '', offset: 0 }, {}, 'Show all archives')),
            ),
          );
        else
          fill(
            this.tree,
            errorMessage(error, () => this.showTree(state, line)),
          );
      },
    );
  }

  private fill(state: State, line: Line, answer: Explored): void {
    const all = total(answer);
    this.heading.show(state, answer);
    if (all === 0) void this.common.offerNames(state.filters);
    this.explain(all, 'table');
    const focused = this.tree.contains(document.activeElement);
    this.answer = answer;
    this.fillTree(state, line, answer);
    if (focused) focusMove(this.tree, 1);
    this.showTop(state, answer.topGames);
    // The answer may be late, when another view is shown.
    if (!this.element.isConnected) return;
    announce(
      `${gamesInWords(all)}. Most played: ${
        answer.moves
          .slice(0, 3)
          .map((move) => move.san)
          .join(', ') || 'none'
      }`,
    );
  }

  /** Without a server the games are read after the moves are seen: they are in other parts of the archives. */
  private showTop(state: State, games: readonly ExplorerGame[]): void {
    const show = (list: readonly ExplorerGame[]): void =>
      fill(this.top, list.length > 0 && topGames(this.app, list));
    show(games);
    if (hasServer()) return;
    this.topRequest.run<Explored>(
      treeAddress(state, { moves: '0', topGames: TOP_GAMES }),
      (answer) => show(answer.topGames),
      (error) =>
        fill(
          this.top,
          errorMessage(error, () => this.showTop(state, games)),
        ),
    );
  }

  private fillTree(state: State, line: Line, answer: Explored): void {
    const at = line.positions[state.at];
    if (!at) return;
    // The rows that the pointer was on are gone.
    this.board.hint(null);
    this.order = state.order;
    if (total(answer) === 0 && answer.moves.length === 0) {
      fill(this.tree, emptyMessage('No games here.', h('p', {}, whyEmpty(state, at))));
      return;
    }
    const root = { fen: state.fen, play: state.play.slice(0, state.at) };
    fill(
      this.tree,
      moveTable(answer, moveNumber(at, true), state.order, {
        link: (move, attributes) =>
          link(
            this.app,
            (now) => ({ ...root, ...after(root, now, [move.uci]), offset: 0 }),
            attributes,
            move.san,
          ),
        sort: (order, attributes, text) => link(this.app, { order }, attributes, text),
        hint: (uci) => this.board.hint(this.answer === answer ? uci : null),
      }),
    );
    this.transpositions.show(this.tree, state, answer, !this.slow.has(this.shown));
  }

  /** The table counts results, the list has all games: why the totals differ. */
  private explain(games: number | null, where: 'table' | 'listed'): void {
    this.totals[where] = games;
    const { table, listed } = this.totals;
    const more = table === null || listed === null ? 0 : listed - table;
    this.difference.hidden = more <= 0;
    this.difference.textContent =
      more <= 0
        ? ''
        : `The list has ${gamesInWords(more)} more than the table, which counts games of chess with moves and a result that reach the position.`;
  }
}

/** The address of the moves of a position. */
const movesAddress = (state: State): string =>
  treeAddress(state, { moves: MOVES, topGames: hasServer() ? TOP_GAMES : '0', moveGames: 'false' });

/** The address of the answer of the explorer for a position. */
function treeAddress(state: State, more: Record<string, string>): string {
  const parameters = atPosition(state);
  const all = { ...more, recentGames: '0', extended: 'true' };
  for (const [name, value] of Object.entries(all)) parameters.set(name, value);
  return address('lichess', parameters);
}

/** Why no move was played from a position, and what to do about it. */
function whyEmpty(state: State, at: Position): string {
  if (at.isEnd()) return 'The game is over in this position.';
  const filtered = Object.keys(state.filters).length > 0;
  if (isStart(state))
    return filtered
      ? 'Remove a condition. Games without moves are in the list only.'
      : 'Games without moves are in the list only.';
  const remedies = [state.at > 0 && 'take back a move', filtered && 'remove a condition'].filter(Boolean);
  return remedies.length > 0
    ? `To find games, ${remedies.join(', or ')}.`
    : 'No game of the archives has this position.';
}

/**
 * The moves of a line and these moves. The moves that the state has after it are kept, so that a step forward plays
 * them again.
 */
function after(
  line: Pick<State, 'fen' | 'play'>,
  now: State,
  ucis: readonly string[],
): Pick<State, 'play' | 'at'> {
  const play = [...line.play, ...ucis];
  const goesOn = now.fen === line.fen && play.every((move, i) => now.play[i] === move);
  return { play: goesOn ? now.play : play, at: play.length };
}
