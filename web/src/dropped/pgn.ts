/**
 * Text of games: where each game is, its tags, and its moves as the viewer shows them. A game is read when it is
 * shown, so that a file of ten thousand games opens at once.
 */

import type { Position } from 'chessops/chess';
import { makeFen } from 'chessops/fen';
import {
  type ChildNode,
  isPawns,
  type Node,
  type PgnNodeData,
  parseComment,
  parsePgn,
  startingPosition,
} from 'chessops/pgn';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import { fenOf, uciOf } from '../board/line.ts';
import type { Evaluation, Game, GameMove } from '../types.ts';

/** A game of a text: where it and its moves begin, and its tags. */
export interface Part {
  start: number;
  moves: number;
  end: number;
  tags: ReadonlyMap<string, string>;
}

/** A value may have quotes that are not escaped. */
const TAG = /^\s*\[\s*(\w+)\s+"(.*)"\s*\]\s*$/;

/** Divides a text into games: a tag outside of a comment begins one, after the moves of another. */
export function split(text: string): Part[] {
  const parts: Part[] = [];
  let tags = new Map<string, string>();
  let start = 0;
  let moves: number | null = null;
  let inComment = false;
  const end = (at: number): void => {
    if (moves !== null || tags.size > 0) parts.push({ start, moves: moves ?? at, end: at, tags });
    tags = new Map();
    moves = null;
    start = at;
  };
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const to = next < 0 ? text.length : next + 1;
    const line = text.slice(at, to);
    const tag = inComment ? null : TAG.exec(line);
    if (tag) {
      if (moves !== null) end(at);
      tags.set(tag[1] ?? '', (tag[2] ?? '').replace(/\\(.)/g, '$1'));
    } else if (line.trim() !== '') {
      moves ??= at;
      inComment = endsInComment(line, inComment);
    }
    at = to;
  }
  end(text.length);
  return parts;
}

/** Whether a comment in braces is open at the end of a line. What follows % at its start, or ;, is no comment. */
function endsInComment(line: string, isOpen: boolean): boolean {
  if (!isOpen && line.startsWith('%')) return false;
  let inComment = isOpen;
  for (const [mark] of line.matchAll(/[{};]/g)) {
    if (mark === ';' && !inComment) break;
    if (mark !== ';') inComment = mark === '{';
  }
  return inComment;
}

/** The bytes of a file as text: UTF-8, or what older programs wrote. */
export function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Whether a text has no moves, but a result at most. */
const isResult = (text: string): boolean => /^\s*(1-0|0-1|1\/2-1\/2|\*)?\s*$/.test(text);

const known = (value: string | undefined): string | null =>
  value === undefined || value === '' || value === '?' ? null : value;

const rating = (text: string | undefined): number | null => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : null;
};

/** A game as the server answers it. */
export function gameOf(text: string, part: Part, number: number, source: string): Game {
  const [parsed] = parsePgn(text.slice(part.moves, part.end));
  const { tags } = part;
  const start = startingPosition(tags as Map<string, string>).unwrap(
    (position) => position,
    () => null,
  );
  const isChess = start?.rules === 'chess';
  const moves = start && isChess && parsed ? lineOf(parsed.moves, start) : [];
  const plies = parsed ? [...parsed.moves.mainline()].length : 0;
  const side = (color: 'White' | 'Black') => ({
    name: known(tags.get(color)),
    rating: rating(tags.get(`${color}Elo`)),
    title: known(tags.get(`${color}Title`)),
  });
  const tag = (name: string): string | null => known(tags.get(name));
  return {
    number,
    source,
    source_number: number,
    id: null,
    white: side('White'),
    black: side('Black'),
    result: tag('Result') ?? '*',
    date: tag('UTCDate') ?? tag('Date'),
    time_control: tag('TimeControl'),
    speed: null,
    eco: tag('ECO'),
    opening: tag('Opening'),
    event: tag('Event'),
    round: tag('Round'),
    site: tag('Site'),
    termination: tag('Termination'),
    plies,
    ply: null,
    tags: [...tags],
    start: start && isChess ? makeFen(start.toSetup()) : null,
    moves,
    comment: parsed?.comments ? words(parsed.comments).text : null,
    text:
      moves.length < plies || (moves.length === 0 && !isResult(text.slice(part.moves, part.end)))
        ? 'kept'
        : null,
  };
}

/** The moves after a node, as far as they are legal, each with its variations. */
function lineOf(after: Node<PgnNodeData>, start: Position): GameMove[] {
  const moves: GameMove[] = [];
  const at = start.clone();
  for (let node = after; ; ) {
    const [main, ...others] = node.children;
    const move = main && moveOf(main, at);
    if (!main || !move) return moves;
    move.variations = others.map((other) => variationOf(other, at)).filter((line) => line.length > 0);
    moves.push(move);
    const played = parseSan(at, main.data.san);
    if (!played) return moves;
    at.play(played);
    node = main;
  }
}

function variationOf(first: ChildNode<PgnNodeData>, start: Position): GameMove[] {
  const move = moveOf(first, start);
  const played = parseSan(start, first.data.san);
  if (!move || !played) return [];
  const at = start.clone();
  at.play(played);
  return [move, ...lineOf(first, at)];
}

/** The move of a node, without its variations; null if it is not legal. */
function moveOf({ data }: ChildNode<PgnNodeData>, before: Position): GameMove | null {
  const move = parseSan(before, data.san);
  if (!move) return null;
  const at = before.clone();
  const uci = uciOf(before, move);
  const san = makeSanAndPlay(at, move);
  const { text, clock, evaluation } = words(data.comments ?? []);
  return {
    san,
    uci,
    fen: fenOf(at),
    clock,
    eval: evaluation,
    nags: data.nags ?? [],
    comment: text,
    before: data.startingComments ? words(data.startingComments).text : null,
    variations: [],
  };
}

interface Words {
  text: string | null;
  clock: number | null;
  evaluation: Evaluation | null;
}

/** What comments say, and the clock and the evaluation in them. */
function words(comments: readonly string[]): Words {
  const parsed = comments.map(parseComment);
  const evaluation = parsed.find((comment) => comment.evaluation)?.evaluation;
  return {
    text:
      parsed
        .map(({ text }) => text)
        .filter((text) => text !== '')
        .join(' ') || null,
    clock: parsed.find(({ clock }) => clock !== undefined)?.clock ?? null,
    evaluation: !evaluation
      ? null
      : isPawns(evaluation)
        ? { cp: Math.round(100 * evaluation.pawns) }
        : { mate: evaluation.mate },
  };
}
