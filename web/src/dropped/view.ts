/** The games of a file that was dropped on the page: where each leaves the archive, and what can be done with them. */

import { ApiError, address, get } from '../api.ts';
import type { App, View } from '../app.ts';
import { moveNumber, turnOf } from '../board/line.ts';
import { button, type Child, fill, h, linkRow, own } from '../dom.ts';
import { Known, type Leaving } from '../explorer/known.ts';
import { bytes, count, DASH, games as gamesInWords, name, rating, result } from '../format.ts';
import { icon } from '../icons.ts';
import { link } from '../links.ts';
import { emptyMessage, notify } from '../message.ts';
import { permits, post } from '../server.ts';
import type { State } from '../state.ts';
import type { Game, Sources } from '../types.ts';
import { type DroppedFile, droppedFile } from './file.ts';
import { RepertoirePart } from './repertoire.ts';

const PAGE_SIZE = 20;

export class DroppedView implements View {
  readonly element = h('div', { class: 'dropped' });
  private readonly heading = h('h1', { tabindex: '-1' });
  private readonly compared = h('p', { class: 'quiet' });
  private readonly actions = h('div', { class: 'row actions' });
  private readonly list = h('div', { class: 'panel' });
  private readonly repertoire: RepertoirePart;
  private file: DroppedFile | null = null;
  private page = 0;
  private known: Known | null = null;
  private asking = new AbortController();

  constructor(
    private readonly app: App,
    /** Packs the file into an archive. */
    private readonly pack: (file: File) => void,
  ) {
    this.repertoire = new RepertoirePart(app);
    this.element.append(this.heading, this.compared, this.actions, this.list, this.repertoire.element);
  }

  title(): string {
    return this.file?.name ?? 'Games of a file';
  }

  show(state: State): void {
    const file = droppedFile();
    const isSame = file === this.file && this.known?.isOf(state);
    this.repertoire.element.hidden = file === null;
    if (isSame && file) return;
    if (file !== this.file) this.page = 0;
    this.file = file;
    this.known = new Known(state);
    if (!file) {
      fill(this.heading, 'Games of a file');
      fill(this.compared);
      fill(this.actions);
      fill(this.list, noFile(this.app));
      return;
    }
    fill(this.heading, own(file.name), h('small', {}, gamesInWords(file.parts.length)));
    fill(this.compared, comparedWith(state));
    fill(
      this.actions,
      link(this.app, { view: 'explorer' }, { class: 'text-button' }, icon('back'), 'Back to the explorer'),
      button('Close the file', () => this.close()),
      button('Pack into an archive', () => this.pack(file.file)),
      permits().append && new Appending(this.app, file, () => this.compareAgain()).element,
    );
    this.repertoire.show(file, this.known);
    this.showPage();
  }

  private close(): void {
    this.asking.abort();
    this.repertoire.stop();
    this.app.closeFile();
  }

  /** Compares with the archives as they are now. */
  private compareAgain(): void {
    if (!this.file) return;
    this.known = new Known(this.app.state);
    this.repertoire.show(this.file, this.known);
    this.showPage();
  }

  private showPage(): void {
    const { file, known } = this;
    this.asking.abort();
    this.asking = new AbortController();
    if (!file || !known) return;
    const { signal } = this.asking;
    const first = this.page * PAGE_SIZE;
    const numbers = file.parts.slice(first, first + PAGE_SIZE).map((_, i) => first + i + 1);
    const rows = numbers.flatMap((number) => {
      const game = file.game(number);
      return game ? [{ game, cell: h('td', { class: 'leaves', 'aria-busy': 'true' }, '…') }] : [];
    });
    const turn = (step: number): void => {
      this.page += step;
      this.showPage();
    };
    const last = first + rows.length;
    fill(
      this.list,
      rows.length === 0
        ? emptyMessage('The file has no games.')
        : table(rows.map(({ game, cell }) => row(this.app, game, cell))),
      file.parts.length > PAGE_SIZE &&
        h(
          'div',
          { class: 'row pages' },
          button('Previous', () => turn(-1), { disabled: this.page === 0 }),
          h('span', { class: 'quiet' }, `${count(first + 1)}–${count(last)} of ${count(file.parts.length)}`),
          button('Next', () => turn(1), { disabled: last >= file.parts.length }),
        ),
    );
    void this.mark(rows, known, signal);
  }

  /** States where each game leaves the archive, one after another. */
  private async mark(
    rows: readonly { game: Game; cell: HTMLElement }[],
    known: Known,
    signal: AbortSignal,
  ): Promise<void> {
    for (const { game, cell } of rows) {
      const text = await leavingOf(game, known, signal).catch((error: unknown) =>
        error instanceof ApiError ? error.message : String(error),
      );
      if (signal.aborted) return;
      cell.removeAttribute('aria-busy');
      fill(cell, text);
    }
  }
}

const leavingOf = async (game: Game, known: Known, signal: AbortSignal): Promise<string> => {
  if (game.start === null) return 'not chess';
  const { fen, ucis } = lineOf(game);
  const leaving = await known.leaving(fen, ucis, signal);
  return `${leaving.ply === null ? 'stays: ' : ''}${leavingText(game, leaving)}`;
};

/** The main line of a game, as the explorer has it. */
export const lineOf = (game: Game): { fen: string; ucis: string[] } => ({
  fen: game.tags.some(([name]) => name === 'FEN') ? (game.start ?? '') : '',
  ucis: game.moves.map(({ uci }) => uci),
});

/** Where a game leaves the archive, in words. */
export function leavingText(game: Game, { ply, games }: Leaving): string {
  if (ply === null) return `${gamesInWords(games)} with its last position`;
  const move = game.moves[ply - 1];
  if (!move) return 'its first position is not there';
  const before = ply > 1 ? game.moves[ply - 2]?.fen : game.start;
  const number = moveNumber(turnOf(before ?? ''), true);
  return `${number} ${move.san}, after ${gamesInWords(games)}`;
}

function comparedWith(state: State): Child {
  const conditions = Object.keys(state.filters).length;
  return [
    'Compared with ',
    state.source === '' ? 'all games' : ['the games of ', own(state.source)],
    conditions > 0 && ' that meet the conditions in force',
    '. The file stays on this computer.',
  ];
}

const noFile = (app: App): HTMLElement =>
  emptyMessage(
    'No file is open.',
    h('p', {}, 'Drop a file of games (.pgn) on the page, or choose one by the key O.'),
    h('p', {}, link(app, { view: 'explorer' }, {}, 'To the explorer')),
  );

const table = (rows: HTMLElement[]): HTMLElement =>
  h(
    'table',
    { class: 'dropped-table' },
    h('caption', { class: 'hidden' }, 'Games of the file'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['White', 'Black', 'Result', 'Date', 'Leaves the archive'].map((title) =>
          h('th', { scope: 'col', class: title === 'Date' ? 'date' : null }, title),
        ),
      ),
    ),
    h('tbody', {}, rows),
  );

function row(app: App, game: Game, leaves: HTMLElement): HTMLTableRowElement {
  const label = `${result(game.result)}, open ${name(game.white)} – ${name(game.black)}`;
  const anchor = link(
    app,
    { view: 'droppedGame', game: game.number, node: 0, tried: [] },
    { class: 'open', 'aria-label': label },
    result(game.result),
  );
  const player = (side: Game['white']): Child => [
    own(name(side)),
    side.rating !== null && h('span', { class: 'quiet' }, ` ${rating(side.rating)}`),
  ];
  return linkRow(
    anchor,
    {},
    h('th', { scope: 'row' }, player(game.white)),
    h('td', {}, player(game.black)),
    h('td', {}, anchor),
    h('td', { class: 'date' }, game.date ?? DASH),
    leaves,
  );
}

/** Appends the file to an archive of the server. */
class Appending {
  readonly element = h('span', { class: 'row' });
  private readonly select = h('select', { 'aria-label': 'Archive to append to' });
  private readonly button: HTMLButtonElement;

  constructor(
    private readonly app: App,
    private readonly file: DroppedFile,
    private readonly appended: () => void,
  ) {
    this.button = button('Append to', () => void this.append());
    this.element.append(this.button, this.select);
    get<Sources>('api/sources', new AbortController().signal).then(
      ({ sources }) =>
        fill(
          this.select,
          sources.map((source) => h('option', { value: source.name }, source.name)),
        ),
      () => undefined,
    );
  }

  private async append(): Promise<void> {
    const { file } = this.file;
    const most = permits().append?.limit_bytes ?? 0;
    if (file.size > most) {
      notify(`The file has ${bytes(file.size)}; the server takes at most ${bytes(most)}`);
      return;
    }
    this.button.disabled = true;
    const source = this.select.value;
    const url = address('api/append', new URLSearchParams({ source }));
    try {
      const done = await post<{ games: number; is_repeated: boolean; is_served: boolean }>(
        url,
        new AbortController().signal,
        file,
      );
      const repeated = done.is_repeated ? '. The archive had a file with the same text already' : '';
      const unseen = done.is_served ? '' : '. They are shown when the server is started again';
      fill(
        this.element,
        h(
          'span',
          { role: 'status' },
          `${gamesInWords(done.games)} appended to ${source}${repeated}${unseen}.`,
        ),
      );
      this.app.renew();
      this.appended();
    } catch (error) {
      this.button.disabled = false;
      notify(error instanceof Error ? error.message : String(error));
    }
  }
}
