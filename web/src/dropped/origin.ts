/** The games of the dropped file in the viewer, each with a mark where it leaves the archive. */

import { ApiError } from '../api.ts';
import type { App } from '../app.ts';
import { fill, h } from '../dom.ts';
import { Known } from '../explorer/known.ts';
import type { Origin } from '../game/origin.ts';
import type { Game } from '../types.ts';
import { droppedFile } from './file.ts';
import { leavingText, lineOf } from './view.ts';

export function droppedGames(app: App): Origin {
  let known: Known | null = null;
  let asking = new AbortController();
  return {
    view: 'droppedGame',
    back: 'dropped',
    backName: 'Games of the file',
    load: (number, done, failed) => {
      const game = droppedFile()?.game(number);
      if (game) done(game);
      else failed(new ApiError('The file of this game is not open. Drop it on the page again.', null, true));
    },
    listed: () => droppedFile()?.parts.map((_, i) => i + 1) ?? [],
    text: async ({ number }) => droppedFile()?.textOf(number) ?? '',
    address: ({ number }) =>
      `data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(droppedFile()?.textOf(number) ?? '')}`,
    added: (game, list) => {
      asking.abort();
      asking = new AbortController();
      if (!known?.isOf(app.state)) known = new Known(app.state);
      const text = h('p', { class: 'leaving', role: 'status' });
      if (game.start !== null) void mark(game, list, text, known, asking.signal);
      return text;
    },
  };
}

/** States where a game leaves the archive, and marks the move. */
async function mark(
  game: Game,
  list: HTMLElement,
  text: HTMLElement,
  known: Known,
  signal: AbortSignal,
): Promise<void> {
  const { fen, ucis } = lineOf(game);
  try {
    const leaving = await known.leaving(fen, ucis, signal);
    if (signal.aborted) return;
    fill(
      text,
      leaving.ply === null ? 'Stays in the archive: ' : 'Leaves the archive: ',
      leavingText(game, leaving),
    );
    const move = leaving.ply && list.querySelector(`a.move[data-node="${leaving.ply}"]`);
    if (!move) return;
    move.classList.add('leaves');
    move.append(h('span', { class: 'hidden' }, ' (leaves the archive)'));
  } catch (error) {
    if (!signal.aborted) fill(text, error instanceof Error ? error.message : String(error));
  }
}
