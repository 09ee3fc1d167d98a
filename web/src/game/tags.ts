/** What follows the moves of a game: the text that the archive keeps as it is, and the tags. */

import { h } from '../dom.ts';
import type { Game } from '../types.ts';

/** Moves that the archive stores as text: those of unknown games, and what follows an illegal move. */
export function keptText(kept: Promise<string>): HTMLElement {
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

export function tagTable(game: Game): HTMLElement {
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
