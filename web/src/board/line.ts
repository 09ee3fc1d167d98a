/** A line of moves from a root: its positions and its moves as people write them. Rules are those of chessops. */

import { Chess, castlingSide, normalizeMove, type Position } from 'chessops/chess';
import { INITIAL_EPD, INITIAL_FEN, InvalidFen, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import { isNormal } from 'chessops/types';
import { kingCastlesTo, makeUci, parseUci, roleToChar, squareFile } from 'chessops/util';
import type { GameMove } from '../types.ts';

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

/**
 * A FEN with the fields that the server demands: White moves unless it says otherwise, and kings and rooks on their
 * first squares have not moved.
 */
export function wholeFen(fen: string): string {
  const [pieces = '', turn = 'w', castling, ...rest] = fen.trim().split(/[\s_]+/);
  if (pieces === '') return '';
  return [pieces, turn, castling ?? castlingOf(pieces), ...rest].join(' ');
}

function castlingOf(pieces: string): string {
  const ranks = pieces.split('/').map((rank) => rank.replace(/\d/g, (empty) => ' '.repeat(Number(empty))));
  const rights = (rank: string | undefined, king: string, rook: string, queen: string): string =>
    rank?.[4] !== king ? '' : `${rank[7] === rook ? king : ''}${rank[0] === rook ? queen : ''}`;
  return `${rights(ranks[7], 'K', 'R', 'Q')}${rights(ranks[0], 'k', 'r', 'q')}` || '-';
}

/** The position of a FEN, or what is wrong with it. Fields after the pieces may be missing ({@link wholeFen}). */
export function position(fen: string): Position | string {
  const setup = parseFen(wholeFen(fen) || INITIAL_FEN);
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

export const fenOf = (at: Position): string => makeFen(at.toSetup());

/** The pieces of both sides, those of White first, as a condition on material: `KRPKR`. */
export const materialOf = ({ board }: Position): string =>
  (['white', 'black'] as const)
    .map((color) =>
      (['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const)
        .map((role) => roleToChar(role).toUpperCase().repeat(board.pieces(color, role).size()))
        .join(''),
    )
    .join('');

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

/** The legal move that a text means: SAN, also with annotations, long algebraic notation (e2-e4), or UCI. */
export function readMove(at: Position, text: string): Move | null {
  const word = text
    .trim()
    .replace(/^\d+(\.+|…)\s*/, '')
    .replace(/\s*e\.?p\.?$/, '')
    .replace(/[!?+#‼⁇⁉⁈]+$/, '')
    .replace(/[–—]/g, '-')
    .replace(':', 'x')
    .replaceAll(/[0o](?=-)|(?<=-)[0o]/g, 'O');
  // Before SAN, in which b3d5 may be a move of a bishop.
  const uci = UCI.test(word) ? legalUci(at, word) : null;
  if (uci) return uci;
  const san = parseSan(at, word) ?? parseSan(at, word.charAt(0).toUpperCase() + word.slice(1));
  return san ?? legalUci(at, word.toLowerCase().replace(/[-x=]/g, ''));
}

const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

/** The legal move that a text in UCI notation means. */
function legalUci(at: Position, text: string): Move | null {
  const uci = parseUci(text);
  const move = uci && normalizeMove(at, uci);
  return move && at.isLegal(move) ? move : null;
}

const RESULTS = ['1-0', '0-1', '1/2-1/2', '½-½', '*'];

/** What a text has to say: the start of a PGN, and words that should be moves. */
export interface Typed {
  /** The FEN tag; empty for the initial position; null if nothing says where the moves start. */
  fen: string | null;
  /** Whether the first move is numbered as that of a game. */
  fromStart: boolean;
  words: string[];
}

/** The moves of a text: one, several, or a PGN with tags, comments and variations, of which the main line counts. */
export function readText(text: string): Typed {
  const tags = /\[\s*\w+\s+".*?"\s*\]/g;
  const fen = /\[\s*FEN\s+"([^"]*)"/i.exec(text)?.[1];
  let moves = text
    .replace(tags, ' ')
    .replace(/\{[^}]*\}?/g, ' ')
    .replace(/;.*$/gm, ' ')
    .replace(/\$\d+/g, ' ');
  for (let before = ''; before !== moves; ) {
    before = moves;
    moves = moves.replace(/\([^()]*\)/g, ' ');
  }
  const words = moves
    .split(/[\s,]+/)
    .map((word) => word.replace(/^\d+(\.+|…)/, '').replace(/^(\.+|…)/, ''))
    .filter((word) => word !== '' && !/^(\d+|[!?]+|e\.?p\.?)$/.test(word) && !RESULTS.includes(word));
  return {
    fen: fen ?? (tags.test(text) ? '' : null),
    fromStart: /^\s*1\.(?!\.)/.test(moves),
    words,
  };
}

/** The legal moves that words mean, and the first word that is none. */
export function readMoves(
  start: Position,
  words: readonly string[],
): { ucis: string[]; wrong: string | null } {
  const at = start.clone();
  const ucis: string[] = [];
  for (const word of words) {
    const move = readMove(at, word);
    if (!move) return { ucis, wrong: word };
    ucis.push(uciOf(at, move));
    at.play(move);
  }
  return { ucis, wrong: null };
}

let last: { key: string; line: Line } | null = null;

/** Replays the moves of an address. The latest line is kept. */
export function replay(fen: string, play: readonly string[]): Line {
  const key = `${fen}|${play.join()}`;
  if (last?.key === key) return last.line;
  const root = position(fen);
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

/** The moves of a line as a text: `1. e4 e5 2. Nf3`. */
export const movesText = ({ positions, sans }: Pick<Line, 'positions' | 'sans'>): string =>
  sans
    .map((san, i) => `${moveNumber(positions[i] as Position, i === 0).replace('…', '...')} ${san}`.trim())
    .join(' ');

/** Moves with their variations as a text. */
export function variationsText(moves: readonly GameMove[], start: Turn): string {
  const parts: string[] = [];
  let at = start;
  let isNumbered = false;
  for (const { san, fen, variations } of moves) {
    parts.push(`${moveNumber(at, !isNumbered).replace('…', '...')} ${san}`.trim());
    for (const variation of variations) parts.push(`(${variationsText(variation, at)})`);
    isNumbered = variations.length === 0;
    at = turnOf(fen);
  }
  return parts.join(' ');
}

/** A line as PGN; `text` are its moves, with variations if there are some. */
export function pgnOf(line: Pick<Line, 'positions' | 'sans'>, text = movesText(line)): string {
  const start = fenOf(line.positions[0] ?? Chess.default());
  const setUp = rootFen(start) === '' ? '' : `[SetUp "1"]\n[FEN "${start}"]\n`;
  return `[Event "?"]\n[Result "*"]\n${setUp}\n${`${text} *`.trim()}\n`;
}

/** The number ahead of a move: `3.` or `3…`. Black's number is only needed where a text begins. */
export function moveNumber(at: Turn, first: boolean): string {
  if (at.turn === 'white') return `${at.fullmoves}.`;
  return first ? `${at.fullmoves}…` : '';
}
