/** The help: keys, and what the numbers mean. */

import { button, h } from './dom.ts';

const KEYS: readonly [string, string][] = [
  ['← →', 'a move back, a move forward'],
  ['Home End', 'first and last position'],
  ['↑ ↓', 'choose among the moves of the table, Enter plays one; in a game, leave and enter variations'],
  ['F', 'flip the board'],
  ['A', 'play the moves one after another, or stop'],
  ['G', 'engine on or off, if the server has one'],
  ['M', 'type a move, several moves, or paste a PGN'],
  ['E', 'set up a position'],
  ['/', 'all conditions on the games'],
  ['J K', 'next and previous game of the list'],
  ['Backspace', 'leave a game'],
  ['Escape', 'leave a field or the editor'],
  ['S', 'statistics'],
  ['P', 'page of the player of the conditions'],
  ['X', 'explorer'],
  ['O', 'open files of this computer: archives, or games'],
  ['T', 'light or dark'],
  [',', 'settings'],
  ['?', 'this help'],
];

const TERMS: readonly [string, string][] = [
  [
    'Games',
    'games of chess with moves and a result that reach the position, in any way; each counts once. The list has games of variants and those without a result, too, and at the starting position all games',
  ],
  [
    'Columns',
    'the heads of columns sort the moves and the games. A bar with a dashed frame has fewer than 10 games: sorted by score, rating or performance, such moves follow the others',
  ],
  [
    'Time, blunders',
    'below the table, of up to 1,000 games: mean thinking time, mean evaluation after the move for White, and moves that lose at least 15 of 100 points of the expected score, as Lichess computes it',
  ],
  [
    'Comparison',
    'keeps the conditions that are in force, which are then changed: ▲ and ▼ mark shares and scores that are greater or less than those compared with, by more than two standard deviations',
  ],
  [
    'List',
    'a row opens its game; above the moves of a game are links to the games of its players, day, opening and event; chosen games are downloaded alone',
  ],
  [
    'A game',
    'pieces can be moved to try a line, which is below the board. Where the game has evaluations, the bar beside the board is the expected score of White; where it has clocks, the time used is the difference of two clocks',
  ],
  [
    'A file',
    'games (.pgn) that are dropped on the page are shown, with the first move after which the archive has no game. As a repertoire, they show which moves of the archive they do not answer',
  ],
  [
    'Engine',
    'values for White, and the best lines with arrows, the best one green. The engine searches while its position is on the board, as long as the server permits',
  ],
  [
    'Endgame',
    'games in which such an ending occurs: only these pieces and pawns are left, if only for one position. The form has a field for the exact pieces, and one for how many positions in a row',
  ],
  [
    '⇄',
    'beside a move: its position is also reached by other moves, so more games have it than the move was played in. Where looking that up takes long, Mark transpositions does it',
  ],
  ['Mean rating', 'mean rating of both players, of all games of the move'],
  [
    'Perf.',
    'performance of the side that moves: mean rating of the opponents plus 400 times the difference of wins and losses a game',
  ],
  [
    'Bits',
    'the size of moves: a move that the model expects in half of the cases takes 1 bit, one in eight 3 bits',
  ],
  [
    'Conditions',
    'the common ones are above the table, the others under More. A game must meet all. Names of players are completed where the archive has an index; a name must be whole, and Carlsen* is every name that begins so. Both ratings is a condition on the rating of each player',
  ],
  [
    'Search',
    'conditions on positions that the index does not have are searched in all games: the progress is shown, and Cancel ends the search',
  ],
];

export function helpDialog(): HTMLDialogElement {
  const list = (entries: readonly [string, string][], key: boolean): HTMLElement =>
    h(
      'dl',
      {},
      entries.map(([term, text]) =>
        h(
          'div',
          {},
          h('dt', {}, key ? term.split(' ').map((k) => h('kbd', {}, k)) : term),
          h('dd', {}, text),
        ),
      ),
    );
  const dialog = h(
    'dialog',
    { id: 'help', 'aria-labelledby': 'help-title' },
    // At the top, so that the focus does not scroll to the end.
    h(
      'div',
      { class: 'row dialog-head' },
      h('h2', { id: 'help-title' }, 'Keys and terms'),
      h('span', { class: 'space' }),
      button('Close', () => dialog.close(), { class: 'primary', autofocus: true }),
    ),
    list(KEYS, true),
    list(TERMS, false),
    h(
      'p',
      { class: 'quiet' },
      'The address of the page holds position, line and conditions: copy it to share them. ',
      h('a', { href: 'licences.txt' }, 'Licences'),
    ),
  );
  return dialog;
}

/** Opens the help at its start, wherever it was left. */
export function showHelp(dialog: HTMLDialogElement): void {
  dialog.showModal();
  dialog.scrollTop = 0;
}
