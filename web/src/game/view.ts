/** The game viewer: board, moves with comments and variations, evaluations and clocks, tags. */

import type { Position } from 'chessops/chess';
import type { Move } from 'chessops/types';
import { getBlob, Latest } from '../api.ts';
import type { App, View } from '../app.ts';
import { Board, viewOf } from '../board/board.ts';
import { Controls, control } from '../board/controls.ts';
import { EnginePanel } from '../board/engine.ts';
import { boardFrame } from '../board/frame.ts';
import { fenOf, type Line, movesText, position, replay, rootFen, turnOf, uciOf } from '../board/line.ts';
import { button, type Child, fill, h, own } from '../dom.ts';
import { LISTED } from '../explorer/gamelist.ts';
import { clock, evaluation, name, rating, result, timeControl } from '../format.ts';
import { icon } from '../icons.ts';
import { lead, link } from '../links.ts';
import { announce, Busy, copy, errorMessage, notify } from '../message.ts';
import { pageOf } from '../player.ts';
import type { State, ViewName } from '../state.ts';
import type { Evaluation, Game, Player } from '../types.ts';
import { type Curve, curves, winningChances } from './curves.ts';
import { markMove, moveList } from './movelist.ts';
import { lastOf, movesTo, type Node, nodes } from './tree.ts';

interface Shown {
  game: Game;
  all: Node[];
  /** The main line, by ply. */
  line: Node[];
  curves: Curve[];
  list: HTMLElement;
}

/** Where the games of the view are from. */
export interface Origin {
  view: ViewName;
  /** The view that the game was opened from, and its name. */
  back: ViewName;
  backName: string;
  /** Requests a game; a later call cancels the one before. */
  load(number: number, done: (game: Game) => void, failed: (error: Error) => void): void;
  /** Numbers of the games of the list that was shown. */
  listed(): readonly number[];
  /** The address of the text of a game, and the text. */
  address(game: Game): string;
  text(game: Game): Promise<string>;
  /** What is added to a game that is shown: marks in its moves. */
  added?(game: Game, list: HTMLElement): Child;
}

/** The games of the archives. */
function archived(): Origin {
  const request = new Latest();
  // Relative to the page, which need not be at the root of its server.
  const address = (game: Game): string => `api/game/${game.number}.pgn`;
  return {
    view: 'game',
    back: 'explorer',
    backName: 'Games',
    load: (number, done, failed) => request.run<Game>(`api/game/${number}`, done, failed),
    listed: () => LISTED,
    address,
    text: async (game) => (await getBlob(address(game), new AbortController().signal)).text(),
  };
}

export class GameView implements View {
  readonly element: HTMLElement;
  private readonly board = new Board((move) => this.tryMove(move));
  private readonly value = h('div', { class: 'value-bar', role: 'img' }, h('span'));
  private readonly line = h('p', { class: 'row tried', role: 'status' });
  private readonly controls: Controls;
  private readonly engine: EnginePanel;
  private readonly above = h('p', { class: 'player' });
  private readonly below = h('p', { class: 'player' });
  private readonly panel = h('div', { class: 'panel game-panel' });
  private readonly explore = h('a', { class: 'text-button' }, 'Explore this position');
  private readonly busy = new Busy(this.panel);
  /** The number of the game that was requested last. */
  private requested = 0;
  private shown: Shown | null = null;
  /** The position on the board. */
  private fen = '';

  constructor(
    private readonly app: App,
    private readonly origin: Origin = archived(),
  ) {
    const node = (): Node | undefined => this.current();
    this.engine = new EnginePanel(
      this.board,
      (uci) => this.tryUci(() => uci),
      (value) => this.showValue(this.ownValue() ?? value, app.state.flip),
    );
    this.controls = new Controls(
      {
        first: () => this.goto(this.shown?.all[0]),
        previous: () => this.back(),
        next: () => this.goto(node()?.next),
        last: () => {
          const at = node();
          if (at) this.goto(lastOf(at));
        },
        flip: () => app.go({ flip: !app.state.flip }, 'replace'),
      },
      control('previousGame', 'Previous game (K)', () => this.neighbour(-1)),
      control('nextGame', 'Next game (J)', () => this.neighbour(1)),
      control('back', 'Back to the explorer (Backspace)', () => this.leave()),
      this.engine.control,
    );
    this.element = h(
      'div',
      { class: 'game' },
      h(
        'div',
        { class: 'board-column' },
        boardFrame(h('div', { class: 'board-row' }, this.value, this.board.element), this.controls, {
          above: this.above,
          below: this.below,
        }),
        this.engine.element,
        h(
          'p',
          { class: 'row' },
          this.explore,
          button('Copy FEN', () => copy(this.fen, 'FEN')),
        ),
        this.line,
      ),
      this.panel,
    );
  }

  title(state: State): string {
    const game = this.shown?.game;
    return game && game.number === state.game
      ? `${isolated(name(game.white))} – ${isolated(name(game.black))}`
      : `Game ${state.game}`;
  }

  show(state: State): void {
    if (state.game === this.requested && this.shown) {
      this.showNode(state);
      return;
    }
    this.requested = state.game;
    this.busy.start();
    this.origin.load(
      state.game,
      (game) => {
        this.busy.stop();
        this.fill(game);
        this.showNode(this.app.state);
        this.app.retitle(this);
      },
      (error) => {
        this.requested = 0;
        this.shown = null;
        this.busy.stop();
        fill(
          this.panel,
          h('h1', { tabindex: '-1' }, `Game ${state.game}`),
          errorMessage(error, () => this.show(state)),
          this.backLink(),
        );
      },
    );
  }

  hide(): void {
    this.engine.show(null);
  }

  key(key: string): boolean {
    if (this.controls.key(key)) return true;
    if (key === 'Backspace') this.leave();
    else if (key === 'g') this.engine.toggle();
    else if (key === 'j' || key === 'k') this.neighbour(key === 'j' ? 1 : -1);
    else if (key === 'ArrowDown' || key === 'ArrowUp') this.sibling(key === 'ArrowDown');
    else return false;
    return true;
  }

  private leave(): void {
    this.app.go({ view: this.origin.back }, 'push');
  }

  private backLink(): HTMLElement {
    const { back, backName } = this.origin;
    return link(this.app, { view: back }, { class: 'text-button' }, icon('back'), backName);
  }

  private current(): Node | undefined {
    return this.shown?.all[this.app.state.node] ?? this.shown?.all[0];
  }

  private goto(node: Node | null | undefined): void {
    const { state } = this.app;
    if (node && (node.number !== state.node || state.tried.length > 0))
      this.app.go({ node: node.number, tried: [] }, 'replace');
  }

  /** Takes back a move that is tried, or one of the game. */
  private back(): void {
    const { tried } = this.app.state;
    if (tried.length > 0) this.app.go({ tried: tried.slice(0, -1) }, 'replace');
    else this.goto(this.current()?.parent);
  }

  /** A move on the board is the next of the game or of a variation, or one that is tried. */
  private tryMove(move: Move): void {
    this.tryUci((at) => uciOf(at, move));
  }

  private tryUci(uciAt: (at: Position) => string): void {
    const node = this.current();
    if (!node) return;
    const { tried } = this.app.state;
    const line = replay(node.fen, tried);
    const at = line.positions[line.ucis.length];
    if (!at) return;
    const uci = uciAt(at);
    const known = [node.next, ...(node.next?.variations ?? [])].find((next) => next?.move?.uci === uci);
    if (tried.length === 0 && known) this.goto(known);
    else this.app.go({ tried: [...line.ucis, uci] }, 'replace');
  }

  /** The game before or after this one in the list that was shown last. */
  private neighbour(step: 1 | -1): void {
    const { game } = this.app.state;
    const listed = this.origin.listed();
    const at = listed.indexOf(game);
    const next = at < 0 ? game + step : listed[at + step];
    if (next === undefined || next < 1) notify('The list that was shown ends here');
    else this.app.go({ game: next, node: 0, tried: [] }, 'push');
  }

  /** Down enters the first variation of the next move, up leaves the variation. */
  private sibling(down: boolean): void {
    const at = this.current();
    if (down) this.goto(at?.next?.variations[0] ?? at?.variations[0]);
    else {
      let node: Node | null | undefined = at;
      while (node?.parent && node.parent.next === node) node = node.parent;
      this.goto(node?.parent?.next);
    }
  }

  private fill(game: Game): void {
    const all = nodes(game);
    const line = all.slice(0, game.moves.length + 1);
    const drawn = curves(line, (node) => this.goto(node));
    const root = all[0] as Node;
    const list = moveList(root, (node, ...rest) =>
      link(this.app, { view: this.origin.view, game: game.number, node: node.number, tried: [] }, ...rest),
    );
    if (game.comment) list.prepend(h('span', { class: 'comment' }, game.comment), ' ');
    list.append(' ', h('span', { class: 'outcome' }, result(game.result)));
    this.shown = { game, all, line, curves: drawn, list };
    this.element.classList.toggle('without-board', game.start === null);
    fill(
      this.panel,
      h(
        'div',
        { class: 'row' },
        this.backLink(),
        h('span', { class: 'space' }),
        h(
          'a',
          { class: 'download', href: this.origin.address(game), download: fileName(game) },
          icon('download'),
          'PGN',
        ),
      ),
      h(
        'h1',
        { tabindex: '-1' },
        own(name(game.white)),
        ' – ',
        own(name(game.black)),
        ` ${result(game.result)}`,
      ),
      h('p', { class: 'quiet' }, summary(game)),
      (game.eco || game.opening) &&
        h(
          'p',
          { class: 'opening' },
          game.eco && h('span', { class: 'eco' }, game.eco),
          ' ',
          own(game.opening),
        ),
      drawn.map((curve) => curve.element),
      this.origin.added?.(game, list),
      game.moves.length > 0 && list,
      (game.text || (game.plies ?? 0) > game.moves.length) && keptText(this.origin.text(game)),
      tagTable(game),
    );
  }

  private showNode(state: State): void {
    const { shown } = this;
    const node = this.current();
    if (!shown || !node) return;
    const at = position(node.fen);
    const line = typeof at === 'string' ? null : replay(node.fen, state.tried);
    const tried = line?.positions[line.ucis.length];
    this.fen = tried ? fenOf(tried) : node.fen;
    if (line && tried) this.board.show(viewOf(tried, line.ucis.at(-1) ?? node.move?.uci ?? null, state.flip));
    else
      this.board.show({
        fen: node.fen,
        turn: turnOf(node.fen).turn,
        check: /[+#]/.test(node.move?.san ?? ''),
        flip: state.flip,
        lastMove: node.move?.uci ?? null,
        legal: null,
      });
    this.showValue(this.ownValue(), state.flip);
    this.engine.show(tried ?? null);
    this.showLine(line);
    this.controls.show(node.parent !== null || state.tried.length > 0, node.next !== null);
    markMove(shown.list, node.number);
    const ply = node.number < shown.line.length ? node.number : null;
    for (const curve of shown.curves) curve.mark(ply);
    this.showPlayers(shown.game, node, state.flip);
    this.explore.hidden = typeof at === 'string';
    const root = rootOf(shown, node);
    const play = [...root.play, ...(line?.ucis ?? [])];
    lead(this.explore, state, { view: 'explorer', ...root, play, at: play.length, offset: 0 });
    const { move } = node;
    if (move && this.element.isConnected)
      announce(
        `${move.san}${move.eval ? `, evaluation ${evaluation(move.eval)}` : ''}${move.comment ? `. ${move.comment}` : ''}`,
      );
  }

  private showLine(line: Line | null): void {
    const isTried = line !== null && line.ucis.length > 0;
    fill(
      this.line,
      isTried && [
        h('span', {}, 'Tried: ', movesText(line)),
        link(this.app, { tried: [] }, { 'data-replace': true }, 'Back to the game'),
      ],
    );
  }

  /** The evaluation that the game has of the position on the board. */
  private ownValue(): Evaluation | null {
    return this.app.state.tried.length > 0 ? null : (this.current()?.move?.eval ?? null);
  }

  /** The expected score of White as a bar beside the board. */
  private showValue(value: Evaluation | null, flip: boolean): void {
    this.value.hidden = value === null;
    if (!value) return;
    const words = `Evaluation ${evaluation(value)}`;
    this.value.setAttribute('aria-label', words);
    this.value.title = words;
    this.value.classList.toggle('flipped', flip);
    const [part] = this.value.children;
    if (part instanceof HTMLElement) part.style.height = `${50 + 50 * winningChances(value)}%`;
  }

  private showPlayers(game: Game, node: Node, flip: boolean): void {
    const { turn } = turnOf(node.fen);
    const time = (side: 'white' | 'black'): number | null => {
      // The clock of a side is the one after its latest move.
      const mover = turn === side ? node.parent : node;
      return mover?.move?.clock ?? null;
    };
    const bar = (side: 'white' | 'black', player: Player): Child[] => {
      const left = time(side);
      return [
        h('span', { class: `disc ${side}`, 'aria-label': side === 'white' ? 'White' : 'Black', role: 'img' }),
        h(
          'span',
          { class: 'name' },
          player.title ? [own(player.title), ' '] : null,
          player.name ? link(this.app, pageOf(player.name), {}, own(player.name)) : name(player),
        ),
        h('span', { class: 'quiet' }, rating(player.rating)),
        h('span', { class: 'space' }),
        used(node, side) !== null &&
          h(
            'span',
            { class: 'quiet', title: 'Time used for the last move' },
            `${clock(used(node, side) ?? 0)} used`,
          ),
        left !== null && h('span', { class: `clock${turn === side ? ' turn' : ''}` }, clock(left)),
      ];
    };
    const [white, black] = [bar('white', game.white), bar('black', game.black)];
    fill(this.above, flip ? white : black);
    fill(this.below, flip ? black : white);
  }
}

/** The seconds between the last two clocks of a side; null if they are not known. An increment is added to the clock. */
function used(node: Node, side: 'white' | 'black'): number | null {
  const last = turnOf(node.fen).turn === side ? node.parent : node;
  const [start, end] = [last?.parent?.parent?.move?.clock, last?.move?.clock];
  return typeof start === 'number' && typeof end === 'number' && start >= end ? start - end : null;
}

/** The line of the explorer that leads to a node: by moves from the start, so that its opening has a name. */
function rootOf({ game }: Shown, node: Node): Pick<State, 'fen' | 'play' | 'at'> {
  const play = movesTo(node);
  return { fen: rootFen(game.start ?? ''), play, at: play.length };
}

/** Scripts from right to left, and characters that change the direction. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;

/** The same as `own` in text without elements: between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. */
const isolated = (text: string): string => (TURNS.test(text) ? `\u2068${text}\u2069` : text);

function summary(game: Game): Child[] {
  const parts = [
    game.date,
    game.event,
    timeControl(game.time_control),
    game.termination,
    game.plies !== null && `${game.plies} plies`,
  ];
  return parts.filter((part) => part && part !== '–').map((part, i) => [i > 0 && ' · ', own(part as string)]);
}

const fileName = (game: Game): string => `${game.source}-game-${game.source_number}.pgn`;

/** Moves that the archive stores as text: those of unknown games, and what follows an illegal move. */
function keptText(kept: Promise<string>): HTMLElement {
  const text = h('pre', { class: 'pgn', tabindex: '0', 'aria-label': 'Text of the game' });
  kept.then(
    (pgn) => {
      text.textContent = pgn;
    },
    () => {
      text.textContent = 'The text cannot be loaded.';
    },
  );
  return h('div', { class: 'kept' }, h('p', { class: 'quiet' }, 'Moves that are kept as text:'), text);
}

function tagTable(game: Game): HTMLElement {
  return h(
    'details',
    { class: 'tags' },
    h('summary', {}, `All ${game.tags.length} tags`),
    h(
      'table',
      {},
      h(
        'tbody',
        {},
        game.tags.map(([tag, value]) => h('tr', {}, h('th', { scope: 'row' }, tag), h('td', {}, value))),
      ),
    ),
  );
}
