/** Storage of an archive: where its bytes go, bits of games and moves, other encodings. */

import { address, Latest } from '../api.ts';
import type { App, View } from '../app.ts';
import { fill, h } from '../dom.ts';
import { bytes, count, decimal, percent } from '../format.ts';
import { Busy, errorMessage } from '../message.ts';
import { type State, selection } from '../state.ts';
import type { Histogram, Stats } from '../types.ts';
import { type Bar, card, columns, rows, ticks } from './charts.ts';
import { tabs } from './tabs.ts';

const POLL_MS = 1000;
/** Columns that are shown; the rest is added up. */
const MOST_COLUMNS = 14;
/** Plies that fewer games than this share have are too few for a mean. */
const LEAST_SHARE = 0.05;

const BITS_OF_PLIES =
  'Size of a move in bits as the model predicts it: 1 bit if it expects the move in half of the cases, 3 bits if in one of eight';

type Ready = Extract<Stats, { ready: true }>;

export class StorageView implements View {
  readonly element: HTMLElement;
  private readonly body = h('div');
  private readonly busy = new Busy(this.body);
  private readonly request = new Latest();
  private timer = 0;
  private shown: string | null = null;

  constructor(private readonly app: App) {
    this.element = h(
      'div',
      { class: 'statistics' },
      h('h1', { tabindex: '-1' }, 'Storage'),
      tabs(app, 'storage'),
      this.body,
    );
  }

  title(): string {
    return 'Storage';
  }

  show(state: State): void {
    clearTimeout(this.timer);
    const url = address('api/stats', selection({ ...state, filters: {} }));
    if (url === this.shown) return;
    this.shown = url;
    this.busy.start();
    this.request.run<Stats>(
      url,
      (answer) => {
        this.busy.stop();
        if (answer.ready) this.fill(answer);
        else this.wait(answer.progress);
      },
      (error) => {
        this.shown = null;
        this.busy.stop();
        fill(
          this.body,
          errorMessage(error, () => this.show(state)),
        );
      },
      (answer) => answer.ready,
    );
  }

  private wait(progress: number | null): void {
    fill(
      this.body,
      h(
        'div',
        { class: 'message', role: 'status' },
        h('p', {}, 'The whole archive is read for these numbers, once.'),
        progress === null
          ? h('progress', { 'aria-label': 'Progress' })
          : h('progress', { value: progress, max: 1, 'aria-label': 'Progress' }),
      ),
    );
    this.shown = null;
    this.timer = window.setTimeout(() => {
      if (this.app.state.view === 'storage') this.show(this.app.state);
    }, POLL_MS);
  }

  private fill(stats: Ready): void {
    const cards = [
      stats.columns.length > 0 && sizes(stats),
      stats.bits_per_game &&
        histogram('Bits a game', 'Size of the moves of a game in bits', stats.bits_per_game, 'games'),
      stats.bits_of_plies && histogram('Bits a ply', BITS_OF_PLIES, stats.bits_of_plies, 'moves'),
      stats.by_ply.length > 0 && bitsByPly(stats),
      stats.plies_per_game && histogram('Plies a game', 'Length of the games', stats.plies_per_game, 'games'),
      stats.encodings.length > 0 && encodings(stats),
    ];
    fill(this.body, summary(stats), h('div', { class: 'cards-grid' }, cards));
  }
}

function summary(stats: Ready): HTMLElement {
  const fact = (label: string, value: string, note = ''): HTMLElement =>
    h('div', { class: 'fact' }, h('dt', {}, label), h('dd', {}, value, note && h('small', {}, ` ${note}`)));
  const each = (n: number): string =>
    stats.games === 0 ? '' : `${(n / stats.games).toFixed(1)} bytes a game`;
  return h(
    'section',
    { class: 'card' },
    h(
      'dl',
      { class: 'facts' },
      fact('Games', count(stats.games)),
      fact(
        'Plies',
        count(stats.plies),
        stats.games > 0 ? `${decimal(stats.plies / stats.games)} a game` : '',
      ),
      fact('Text (PGN)', bytes(stats.text_bytes), each(stats.text_bytes)),
      fact('Archive', bytes(stats.archive_bytes), each(stats.archive_bytes)),
      fact('Share of the text', percent(stats.archive_bytes, stats.text_bytes)),
    ),
  );
}

function sizes(stats: Ready): HTMLElement {
  const sorted = [...stats.columns].sort((a, b) => b.bytes - a.bytes);
  const all = sorted.reduce((sum, column) => sum + column.bytes, 0);
  const shown = sorted.slice(0, MOST_COLUMNS);
  const rest = sorted.slice(MOST_COLUMNS).reduce((sum, column) => sum + column.bytes, 0);
  if (rest > 0) shown.push({ name: `${sorted.length - MOST_COLUMNS} others`, bytes: rest });
  const bars = shown.map(
    (column): Bar => ({
      label: column.name.replaceAll('+', ', '),
      value: column.bytes,
      text: `${bytes(column.bytes)} · ${percent(column.bytes, all)}`,
    }),
  );
  return card(
    'Where the bytes go',
    `Columns of the archive, ${bytes(all)} in all`,
    rows(bars, 'Bytes of each column'),
  );
}

/** A histogram of `things`: games or moves. */
function histogram(title: string, note: string, data: Histogram, things: string): HTMLElement {
  // Sums of tenths have errors in the last digits.
  const bound = (i: number): number => Number((data.first + i * data.width).toFixed(6));
  const bars = data.counts.map((n, i): Bar => {
    const range = data.width === 1 ? String(bound(i)) : `${bound(i)} to ${bound(i + 1)}`;
    return { label: range, value: n, text: `${range}: ${count(n)} ${things}` };
  });
  const last = bound(data.counts.length);
  const middle = `mean ${decimal(data.mean)}, median ${decimal(data.median)}`;
  const beyond = data.beyond > 0 ? `; ${count(data.beyond)} ${things} above ${last} are not drawn` : '';
  return card(
    title,
    `${note}: ${middle}${beyond}`,
    columns(bars, `Histogram of ${title.toLowerCase()}, ${middle}`, ticks(data.first, last)),
  );
}

/** Mean size of each ply, as far as enough games are that long. */
function bitsByPly(stats: Ready): HTMLElement {
  const [first] = stats.by_ply;
  const enough = (first?.games ?? 0) * LEAST_SHARE;
  const plies = stats.by_ply.filter((ply) => ply.games >= enough);
  const bars = plies.map((ply, i): Bar => {
    const bits = ply.model_bits ?? ply.equal_bits ?? 0;
    const text = `Ply ${i + 1}: ${decimal(bits, 2)} bits, ${decimal(ply.equal_bits, 2)} without the model, ${decimal(ply.legal_moves)} legal moves, ${count(ply.games)} games`;
    return { label: String(i + 1), value: bits, text };
  });
  const note =
    'Mean size of the first moves of the games, of the second, and so on, as the model predicts them';
  return card(
    'Bits by ply',
    note,
    columns(bars, `Bits of each ply, from 1 to ${plies.length}`, ticks(0, plies.length), decimal),
  );
}

function encodings(stats: Ready): HTMLElement {
  const bars = stats.encodings.map(
    ({ name, bits_per_ply }): Bar => ({ label: name, value: bits_per_ply, text: decimal(bits_per_ply, 2) }),
  );
  return card('Encodings of the same moves', 'Bits a ply', rows(bars, 'Bits a ply of each encoding'));
}
