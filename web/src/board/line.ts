/** A line of moves from a root: its positions and its moves as people write them. Rules are those of chessops. */

import { Chess, castlingSide, normalizeMove, type Position } from 'chessops/chess';
import { INITIAL_EPD, INITIAL_FEN, InvalidFen, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import { isNormal } from 'chessops/types';
import { kingCastlesTo, makeUci, parseUci, squareFile } from 'chessops/util';

export interface Line {
  /** One more than moves. */
  positions: readonly Position[];
  sans: readonly string[];
  ucis: readonly string[];
  /** The move that cannot be played, in words, or null. The moves before it are in the line. */
  problem: string | null;
  /** Why the root is not a position, in words, or null. The line then is that of the initial position. */
  badRoot: string | null;
}

const BOARD_PROBLEMS: Record<string, string> = {
  ERR_EMPTY: 'The board is empty.',
  ERR_KINGS: 'Each side needs exactly one king.',
  ERR_OPPOSITE_CHECK: 'The side that is not to move is in check.',
  ERR_PAWNS_ON_BACKRANK: 'Pawns cannot be on the first or the last rank.',
  ERR_IMPOSSIBLE_CHECK: 'No move can have led to this check.',
};

const FEN_PROBLEMS: Record<string, string> = {
  [InvalidFen.Board]: 'the pieces, eight ranks separated by /',
  [InvalidFen.Turn]: 'the side to move, w or b',
  [InvalidFen.Castling]: 'the castling rights, such as KQkq or -',
  [InvalidFen.EpSquare]: 'the en passant square, such as e3 or -',
  [InvalidFen.Halfmoves]: 'the number of plies since a capture or a pawn move',
  [InvalidFen.Fullmoves]: 'the number of the move',
};

/** Fields of a FEN that cannot be missing: pieces, side to move, castling rights. */
const FIELDS = 3;

/** The position of a FEN, or what is wrong with it. Fields after the pieces may be missing. */
export function position(fen: string): Position | string {
  const setup = parseFen(fen.trim() === '' ? INITIAL_FEN : fen.trim());
  if (setup.isErr) {
    const part = FEN_PROBLEMS[setup.error.message];
    return part ? `This is not a FEN: check ${part}.` : 'This is not a FEN.';
  }
  const chess = Chess.fromSetup(setup.value);
  return chess.unwrap<Position | string>(
    (value) => value,
    (error) => BOARD_PROBLEMS[error.message] ?? 'This position cannot occur.',
  );
}

/** The same of a FEN that states the side to move and the castling rights, as the server demands it. */
export function wholePosition(fen: string): Position | string {
  const fields = fen.trim() === '' ? FIELDS : fen.trim().split(/[\s_]+/).length;
  const found = position(fen);
  if (typeof found === 'string' || fields >= FIELDS) return found;
  return fields < 2
    ? 'The FEN does not state the side to move and the castling rights: add them, such as w KQkq or w -.'
    : 'The FEN does not state the castling rights: add them, such as KQkq, or - for none.';
}

export const fenOf = (at: Position): string => makeFen(at.toSetup());

/** A FEN as the root of a line: empty for the initial position. */
export const rootFen = (fen: string): string => (fen.startsWith(INITIAL_EPD) ? '' : fen);

/** Whose turn it is and the number of the move. */
export type Turn = Pick<Position, 'turn' | 'fullmoves'>;

/** The turn of a FEN, which need not be one of chess. */
export function turnOf(fen: string): Turn {
  const fields = fen.split(' ');
  return { turn: fields[1] === 'b' ? 'black' : 'white', fullmoves: Number(fields[5]) || 1 };
}

/** UCI with castling as the move of the king, e1g1, except where only Chess960 allows it. */
export function uciOf(at: Position, move: Move): string {
  if (isNormal(move)) {
    const side = castlingSide(at, move);
    if (side && squareFile(move.from) === 4) {
      return makeUci({ from: move.from, to: kingCastlesTo(at.turn, side) });
    }
  }
  return makeUci(move);
}

/** The legal move that a text means: SAN or UCI. */
export function readMove(at: Position, text: string): Move | null {
  const word = text
    .trim()
    .replace(/^\d+(\.+|…)\s*/, '')
    .replaceAll('0-0', 'O-O')
    .replace('O-0', 'O-O');
  const san = parseSan(at, word) ?? parseSan(at, word.charAt(0).toUpperCase() + word.slice(1));
  if (san) return san;
  const uci = parseUci(word.toLowerCase());
  if (!uci) return null;
  const move = normalizeMove(at, uci);
  return at.isLegal(move) ? move : null;
}

let last: { key: string; line: Line } | null = null;

/** Replays the moves of an address. The latest line is kept. */
export function replay(fen: string, play: readonly string[]): Line {
  const key = `${fen}|${play.join()}`;
  if (last?.key === key) return last.line;
  const root = wholePosition(fen);
  const badRoot = typeof root === 'string' ? root : null;
  const positions: Position[] = [typeof root === 'string' ? Chess.default() : root];
  const sans: string[] = [];
  const ucis: string[] = [];
  let problem: string | null = null;
  for (const text of badRoot === null ? play : []) {
    const before = positions[positions.length - 1] as Position;
    const move = readMove(before, text);
    if (!move) {
      problem = `The address has a move that is not legal: ${text}.`;
      break;
    }
    const after = before.clone();
    ucis.push(uciOf(before, move));
    sans.push(makeSanAndPlay(after, move));
    positions.push(after);
  }
  const line = { positions, sans, ucis, problem, badRoot };
  last = { key, line };
  return line;
}

/** The number ahead of a move: `3.` or `3…`. Black's number is only needed where a text begins. */
export function moveNumber(at: Turn, first: boolean): string {
  if (at.turn === 'white') return `${at.fullmoves}.`;
  return first ? `${at.fullmoves}…` : '';
}
