/** The game viewer: board, moves with comments and variations, evaluations and clocks, tags. */

import { Latest } from '../api.ts';
import type { App, View } from '../app.ts';
import { Board } from '../board/board.ts';
import { Controls, control } from '../board/controls.ts';
import { position, rootFen, turnOf } from '../board/line.ts';
import { type Child, fill, h, own } from '../dom.ts';
import { clock, evaluation, name, rating, result, timeControl } from '../format.ts';
import { icon } from '../icons.ts';
import { lead, link } from '../links.ts';
import { announce, Busy, errorMessage } from '../message.ts';
import { pageOf } from '../player.ts';
import type { State } from '../state.ts';
import type { Game, Player } from '../types.ts';
import { type Curve, curves } from './curves.ts';
import { markMove, moveList } from './movelist.ts';
import { lastOf, type Node, nodes } from './tree.ts';

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
  private readonly board = new Board(() => undefined);
  private readonly controls: Controls;
  private readonly above = h('p', { class: 'player' });
  private readonly below = h('p', { class: 'player' });
  private readonly panel = h('div', { class: 'panel game-panel' });
  private readonly explore = h('a', { class: 'text-button' }, 'Explore this position');
  private readonly busy = new Busy(this.panel);
  private readonly request = new Latest();
  private requested = '';
  private shown: Shown | null = null;

  constructor(private readonly app: App) {
    const node = (): Node | undefined => this.current();
    this.controls = new Controls(
      {
        first: () => this.goto(this.shown?.all[0]),
        previous: () => this.goto(node()?.parent),
        next: () => this.goto(node()?.next),
        last: () => {
          const at = node();
          if (at) this.goto(lastOf(at));
        },
        flip: () => app.go({ flip: !app.state.flip }, 'replace'),
      },
      control('back', 'Back to the explorer (Backspace)', () => this.leave()),
    );
    this.element = h(
      'div',
      { class: 'game' },
      h(
        'div',
        { class: 'board-column' },
        this.above,
        this.board.element,
        this.below,
        this.controls.element,
        h('p', { class: 'row' }, this.explore),
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
    const url = `api/game/${state.game}`;
    if (url === this.requested && this.shown) {
      this.showNode(state);
      return;
    }
    this.requested = url;
    this.busy.start();
    this.request.run<Game>(
      url,
      (game) => {
        this.busy.stop();
        this.fill(game);
        this.showNode(this.app.state);
        this.app.retitle(this);
      },
      (error) => {
        this.requested = '';
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

  key(key: string): boolean {
    if (this.controls.key(key)) return true;
    if (key === 'Backspace') this.leave();
    else if (key === 'ArrowDown' || key === 'ArrowUp') this.sibling(key === 'ArrowDown');
    else return false;
    return true;
  }

  private leave(): void {
    this.app.go({ view: 'explorer' }, 'push');
  }

  private backLink(): HTMLElement {
    return link(this.app, { view: 'explorer' }, { class: 'text-button' }, icon('back'), 'Games');
  }

  private current(): Node | undefined {
    return this.shown?.all[this.app.state.node] ?? this.shown?.all[0];
  }

  private goto(node: Node | null | undefined): void {
    if (node && node.number !== this.app.state.node) this.app.go({ node: node.number }, 'replace');
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
      link(this.app, { view: 'game', game: game.number, node: node.number }, ...rest),
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
        h('a', { class: 'download', href: game.pgn_url, download: true }, icon('download'), 'PGN'),
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
      game.moves.length > 0 && list,
      (game.text || (game.plies ?? 0) > game.moves.length) && keptText(game),
      tagTable(game),
    );
  }

  private showNode(state: State): void {
    const { shown } = this;
    const node = this.current();
    if (!shown || !node) return;
    const { turn } = turnOf(node.fen);
    const at = position(node.fen);
    const check = /[+#]/.test(node.move?.san ?? '');
    this.board.show({
      fen: node.fen,
      turn,
      check,
      flip: state.flip,
      lastMove: node.move?.uci ?? null,
      legal: null,
    });
    this.controls.show(node.parent !== null, node.next !== null);
    markMove(shown.list, node.number);
    const ply = node.number < shown.line.length ? node.number : null;
    for (const curve of shown.curves) curve.mark(ply);
    this.showPlayers(shown.game, node, state.flip);
    this.explore.hidden = typeof at === 'string';
    lead(this.explore, state, { view: 'explorer', ...rootOf(shown, node), offset: 0 });
    const { move } = node;
    if (move && this.element.isConnected)
      announce(
        `${move.san}${move.eval ? `, evaluation ${evaluation(move.eval)}` : ''}${move.comment ? `. ${move.comment}` : ''}`,
      );
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
        left !== null && h('span', { class: `clock${turn === side ? ' turn' : ''}` }, clock(left)),
      ];
    };
    const [white, black] = [bar('white', game.white), bar('black', game.black)];
    fill(this.above, flip ? white : black);
    fill(this.below, flip ? black : white);
  }
}

/** The line of the explorer that leads to a node: by moves from the start, so that its opening has a name. */
function rootOf({ game }: Shown, node: Node): Pick<State, 'fen' | 'play' | 'at'> {
  const play: string[] = [];
  for (let at: Node | null = node; at?.move; at = at.parent) play.unshift(at.move.uci);
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

/** Moves that the archive stores as text: those of unknown games, and what follows an illegal move. */
function keptText(game: Game): HTMLElement {
  const text = h('pre', { class: 'pgn', tabindex: '0', 'aria-label': 'Text of the game' });
  fetch(game.pgn_url)
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(String(response.status)))))
    .then(
      (pgn) => {
        text.textContent = pgn;
      },
      () => {
        text.textContent = 'The text cannot be loaded.';
      },
    );
  return h(
    'div',
    { class: 'kept' },
    h('p', { class: 'quiet' }, 'Moves that the archive stores as text:'),
    text,
  );
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
