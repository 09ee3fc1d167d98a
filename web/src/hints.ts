/**
 * What a player reads beside the field of a condition, where the sentence of the server is written for the command: it
 * describes one text, and the page has two fields, boxes or lines.
 */

import type { Filter } from './filters.ts';

const BOUNDS = 'both included. Leave one empty for no bound';

const HINTS: Readonly<Record<string, string>> = {
  players: 'The names of both players, whoever has White, with a semicolon between them',
  elo: `The rating of each player is from the one to the other, ${BOUNDS}`,
  mean_elo: `The mean of both ratings, from the one to the other, ${BOUNDS}`,
  elo_diff: `By how much White is rated higher, ${BOUNDS}`,
  date: `When the game was played: 2013, 2013-01 or 2013-01-05, ${BOUNDS}`,
  result: 'One of these results',
  eco: `The code of the opening, ${BOUNDS}`,
  opening_name: 'The name of the opening that the game states; Sicilian* is every name that begins so',
  time_control: 'As the game states it: seconds and increment',
  speed: 'By the time control',
  event: 'As the game states it',
  site: 'As the game states it',
  termination: 'As the game states it',
  opening: 'The game begins with exactly these moves',
  plies: `Moves of both sides together: 40 is 20 moves each, ${BOUNDS}`,
  ending: 'By its last position, and by what the game states',
  material:
    'These pieces are on the board: KRPKR is king, rook and pawn against king and rook, whoever has them; KRP-KR gives White the pawn. Or how many of some pieces there are, those of White in capitals: Q=0,r=..2',
  lasting: 'So many positions in a row meet the conditions on positions: 8 is four moves of each side',
  later:
    'A later position meets this: position, board, material, pattern or lasting; several with semicolons. Each line is about a position after that of the line before',
  tag: 'A tag by a regular expression that may match anywhere in it, one a line. Case and accents matter',
  exclude: 'The games that do not meet this condition, one a line',
};

/** The sentence beside the field of a condition. */
export const hintOf = ({ name, help }: Filter): string => HINTS[name] ?? help;
