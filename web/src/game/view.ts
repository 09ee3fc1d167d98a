/** The game viewer: board, moves with comments and variations, evaluations and clocks, tags. */

import type { Position } from 'chessops/chess';
import type { Move } from 'chessops/types';
import type { App, View } from '../app.ts';
import { Board, viewOf } from '../board/board.ts';
import { Controls, control } from '../board/controls.ts';
import { EnginePanel } from '../board/engine.ts';
import { boardFrame } from '../board/frame.ts';
import { fenOf, type Line, movesText, position, replay, rootFen, turnOf, uciOf } from '../board/line.ts';
import { button, fill, h } from '../dom.ts';
import { evaluation, result } from '../format.ts';
import { icon } from '../icons.ts';
import { lead, link } from '../links.ts';
import { announce, Busy, copy, errorMessage, notify } from '../message.ts';
import type { State } from '../state.ts';
import type { Evaluation, Game } from '../types.ts';
import { type Curve, curves, winningChances } from './curves.ts';
import { head, playersOf } from './head.ts';
import { markMove, moveList } from './movelist.ts';
import { archived, type Origin } from './origin.ts';
import { Players } from './players.ts';
import { keptText, tagTable } from './tags.ts';
import { lastOf, movesTo, type Node, nodes } from './tree.ts';

interface Shown {
  game: Game;
  all: Node[];
  /** The main line, by ply. */
  line: Node[];
  curves: Curve[];
  list: HTMLElement;
}

export class GameView implements View {
  readonly element: HTMLElement;
  private readonly board = new Board((move) => this.tryMove(move));
  private readonly value = h('div', { class: 'value-bar', role: 'img' }, h('span'));
  private readonly line = h('p', { class: 'row tried', role: 'status' });
  private readonly controls: Controls;
  private readonly engine: EnginePanel;
  private readonly players: Players;
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
    this.players = new Players(app);
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
          above: this.players.above,
          below: this.players.below,
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
    return game && game.number === state.game ? playersOf(game) : `Game ${state.game}`;
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
      head(this.app, game, this.origin, this.backLink()),
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
    this.players.show(shown.game, node, state.flip);
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
}

/** The line of the explorer that leads to a node: by moves from the start, so that its opening has a name. */
function rootOf({ game }: Shown, node: Node): Pick<State, 'fen' | 'play' | 'at'> {
  const play = movesTo(node);
  return { fen: rootFen(game.start ?? ''), play, at: play.length };
}
