/** Values and best lines by the engine of the server: arrows on the board, and lines below it. */

import type { Position } from 'chessops/chess';
import { address } from '../api.ts';
import { button, type Child, fill, h } from '../dom.ts';
import { count, evaluation } from '../format.ts';
import { permits, post } from '../server.ts';
import { keepSetting, setting } from '../settings.ts';
import type { Evaluation } from '../types.ts';
import type { Board } from './board.ts';
import { control } from './controls.ts';
import { fenOf, movesText, readMoves, replay } from './line.ts';

/** Milliseconds of the searches of a position, one after another: the engine keeps what it has found. */
const TIMES = [200, 800, 3000, 9000];
const LINES = 3;
/** Moves of a line that are shown. */
const MOST_MOVES = 10;
const SETTING = 'engine';

/** The answer of `/api/engine`. */
interface Analysis {
  engine: string;
  depth: number;
  nodes: number;
  lines: { eval: Evaluation; moves: string[] }[];
}

export class EnginePanel {
  readonly element = h('section', { class: 'engine', 'aria-label': 'Engine', hidden: true });
  /** Turns the engine on and off; null if the server has none. */
  readonly control: HTMLButtonElement | null;
  private isOn = false;
  private asking = new AbortController();
  private at: Position | null = null;
  private fen = '';
  private value: Evaluation | null = null;

  constructor(
    private readonly board: Board,
    /** Plays a move in the position. */
    private readonly play: (uci: string) => void,
    /** Takes the value of the position; null while it is not known. */
    private readonly valued: (value: Evaluation | null) => void = () => undefined,
  ) {
    const engine = permits().engine;
    this.control = engine && control('engine', 'Engine on or off (G)', () => this.toggle());
    this.isOn = engine !== null && setting(SETTING) === 'on';
    this.mark();
  }

  toggle(): void {
    if (!this.control) return;
    this.isOn = !this.isOn;
    keepSetting(SETTING, this.isOn ? 'on' : '');
    this.mark();
    const { at } = this;
    this.fen = '';
    this.show(at);
  }

  /** Shows the value of a position; of none where there is no board. */
  show(at: Position | null): void {
    this.at = at;
    const fen = at ? fenOf(at) : '';
    if (fen === this.fen) {
      this.valued(this.value);
      return;
    }
    this.fen = fen;
    this.asking.abort();
    this.board.arrows([]);
    this.state(null);
    fill(this.element);
    if (!this.isOn || !at) return;
    if (at.isEnd()) fill(this.element, h('p', { class: 'quiet' }, 'The game is over in this position.'));
    else void this.ask(at);
  }

  private mark(): void {
    this.control?.setAttribute('aria-pressed', String(this.isOn));
    this.element.hidden = !this.isOn;
  }

  private state(value: Evaluation | null): void {
    this.value = value;
    this.valued(value);
  }

  private async ask(at: Position): Promise<void> {
    const asking = new AbortController();
    this.asking = asking;
    const { signal } = asking;
    const most = permits().engine?.limit_ms ?? 0;
    const fen = fenOf(at);
    this.element.setAttribute('aria-busy', 'true');
    try {
      for (const ms of TIMES.filter((time, i) => i === 0 || time <= most)) {
        const parameters = new URLSearchParams({ fen, ms: String(ms), lines: String(LINES) });
        const found = await post<Analysis>(address('api/engine', parameters), signal);
        // The view was left.
        if (signal.aborted || !this.element.isConnected) return;
        this.element.removeAttribute('aria-busy');
        this.fill(at, found);
      }
    } catch (error) {
      if (signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      this.board.arrows([]);
      fill(
        this.element,
        h('p', { class: 'error', role: 'alert' }, text),
        button('Try again', () => void this.ask(at)),
      );
    } finally {
      if (this.asking === asking) this.element.removeAttribute('aria-busy');
    }
  }

  private fill(at: Position, { engine, depth, nodes, lines }: Analysis): void {
    const legal = lines.map(({ eval: value, moves }) => ({
      value,
      ucis: readMoves(at, moves.slice(0, MOST_MOVES)).ucis,
    }));
    this.state(lines[0]?.eval ?? null);
    this.board.arrows(legal.flatMap(({ ucis }) => ucis.slice(0, 1)));
    const fen = fenOf(at);
    const row = ({ value, ucis }: (typeof legal)[number]): Child =>
      h(
        'li',
        {},
        h('span', { class: 'value' }, evaluation(value)),
        ' ',
        button(movesText(replay(fen, ucis)), () => ucis[0] && this.play(ucis[0]), {
          class: 'engine-line',
          title: 'Play the first move',
        }),
      );
    fill(
      this.element,
      h('p', { class: 'quiet' }, `${engine} · depth ${depth} · ${count(nodes)} positions`),
      h('ol', { 'aria-label': 'Best lines' }, legal.map(row)),
    );
  }
}
