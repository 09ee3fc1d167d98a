/** Lines of moves, FENs, and the nodes of a game. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fenOf,
  position,
  readMove,
  readMoves,
  readText,
  replay,
  uciOf,
  wholeFen,
} from '../src/board/line.ts';
import { winningChances } from '../src/game/curves.ts';
import { lastOf, nodes } from '../src/game/tree.ts';
import { read } from '../src/state.ts';
import type { GameMove } from '../src/types.ts';

test('castling is the move of the king in both notations', () => {
  for (const castling of ['e1g1', 'e1h1', 'O-O', '0-0']) {
    const line = replay('', ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'g8f6', castling]);
    assert.equal(line.problem, null);
    assert.equal(line.ucis[6], 'e1g1');
    assert.equal(line.sans[6], 'O-O');
  }
});

test('a promotion keeps its piece', () => {
  const line = replay('8/P5k1/8/8/8/8/6K1/8 w - - 0 1', ['a7a8n']);
  assert.deepEqual([line.sans, line.ucis], [['a8=N'], ['a7a8n']]);
});

test('a line ends before an illegal move and reports it', () => {
  const line = replay('', ['e2e4', 'e2e4', 'e7e5']);
  assert.deepEqual(line.ucis, ['e2e4']);
  assert.match(line.problem ?? '', /not legal: e2e4/);
});

test('the fields of a FEN after the pieces may be missing', () => {
  const at = position('8/8/4k3/8/8/4K3/4P3/8');
  assert(typeof at !== 'string');
  assert.equal(fenOf(at), '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1');
});

test('a FEN without a side to move means White, and first squares mean castling', () => {
  for (const [fen, whole] of [
    ['8/8/4k3/8/8/4K3/4P3/8', '8/8/4k3/8/8/4K3/4P3/8 w -'],
    ['8/8/4k3/8/8/4K3/4P3/8 b', '8/8/4k3/8/8/4K3/4P3/8 b -'],
    ['8/8/4k3/8/8/4K3/4P3/8_w_-', '8/8/4k3/8/8/4K3/4P3/8 w -'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq'],
    ['1r2k2r/8/8/8/8/8/8/R3K3 b', '1r2k2r/8/8/8/8/8/8/R3K3 b Qk'],
    ['r3k2r/8/8/8/8/8/8/4RK1R w - - 0 1', 'r3k2r/8/8/8/8/8/8/4RK1R w - - 0 1'],
    ['', ''],
  ] as const) {
    assert.equal(wholeFen(fen), whole, fen);
    assert.equal(read(`?fen=${fen.replaceAll(' ', '_')}`).fen, whole);
  }
  for (const fen of ['nonsense', '8/8/4k3/8/8/4K3/4P3']) {
    const found = position(fen);
    assert(typeof found === 'string' && /not a FEN/.test(found), fen);
    assert.equal(replay(fen, ['e2e4']).badRoot, found);
  }
});

test('moves are read in the forms that people type', () => {
  const at = position('r1bqkbnr/pPpp1ppp/8/4p3/4P3/3p1N2/PPPB1PPP/RNBQK2R w KQkq - 2 3');
  assert(typeof at !== 'string');
  for (const [text, uci] of [
    ['Nf3-d4', 'f3d4'],
    ['Nf3xe5!?', 'f3e5'],
    ['nxe5', 'f3e5'],
    ['Nxe5!', 'f3e5'],
    ['Bxd3+', null],
    ['c2-d3', 'c2d3'],
    ['c2xd3+!', 'c2d3'],
    ['c2:d3', 'c2d3'],
    ['cxd3', 'c2d3'],
    ['h2-h4', 'h2h4'],
    ['h2–h4', 'h2h4'],
    ['H2H4', 'h2h4'],
    ['3. h4', 'h2h4'],
    ['h4??', 'h2h4'],
    ['b7xa8=Q', 'b7a8q'],
    ['bxa8=n#', 'b7a8n'],
    ['b7a8r', 'b7a8r'],
    ['e4-e5', null],
    ['Nf3-g3', null],
    ['h4h5', null],
  ] as const) {
    const move = readMove(at, text);
    assert.equal(move && uciOf(at, move), uci, text);
  }
});

test('UCI from the b-file is not read as a move of a bishop', () => {
  for (const [fen, text, uci] of [
    ['4k3/8/8/3p4/8/1Q3B2/8/4K3 w - - 0 1', 'b3d5', 'b3d5'],
    ['4k3/8/8/3p4/8/1Q3B2/8/4K3 w - - 0 1', 'Bd5', 'f3d5'],
    ['4k3/8/8/8/8/8/8/1N2B1K1 w - - 0 1', 'b1c3', 'b1c3'],
  ] as const) {
    const at = position(fen);
    assert(typeof at !== 'string');
    const move = readMove(at, text);
    assert.equal(move && uciOf(at, move), uci, text);
  }
});

test('lines and PGN are read as their main line', () => {
  const plain = ['e2e4', 'e7e5', 'g1f3'];
  for (const text of [
    'e4 e5 Nf3',
    '1. e4 e5 2. Nf3',
    '1.e4 e5 2.Nf3 *',
    '1 e4 e5 2 Nf3',
    'e2-e4, e7-e5, Ng1-f3!?',
    'e2e4 e7e5 g1f3',
    '1. e4 {King (pawn) 1. d4} 1... e5 (1... c5 2. Nf3 (2. c3) d6) 2. Nf3 $1 1/2-1/2',
    '1. e4 ; a comment 1. d4\n1… e5 2. Nf3',
    '[Event "a [b]"]\n[White "A "B" C"]\n\n1. e4 e5 2. Nf3 1-0',
    '[Event "a"] [White "b"] 1. e4 {[%clk 0:01:00]} e5 {[%eval 0.1]} 2. Nf3',
  ]) {
    const { fen, words } = readText(text);
    assert.equal(fen, text.startsWith('[') ? '' : null, text);
    const start = position('');
    assert(typeof start !== 'string');
    assert.deepEqual(readMoves(start, words), { ucis: plain, wrong: null }, text);
  }
  assert.equal(
    readText('[FEN "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"]\n\n1. e4').fen,
    '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1',
  );
  const start = position('');
  assert(typeof start !== 'string');
  assert.deepEqual(readMoves(start, readText('e4 what e5').words), { ucis: ['e2e4'], wrong: 'what' });
  for (const text of ['', '(((', '{', '[', '1.', '((1. e4)']) readMoves(start, readText(text).words);
});

test('the problem of a FEN is described in words', () => {
  for (const [fen, problem] of [
    ['nonsense', /pieces/],
    ['8/8/8/8/8/8/8/8 w - -', /empty|king/],
    ['8/8/4k3/8/8/4K3/4P3/8 x - -', /side to move/],
    ['8/8/4k3/8/8/4K3/4P3/8 w what -', /castling/],
    ['4k3/8/8/8/8/8/8/4R1K1 w - -', /not to move is in check/],
    ['P3k3/8/8/8/8/8/8/6K1 w - -', /Pawns/],
  ] as const) {
    const found = position(fen);
    assert(typeof found === 'string', fen);
    assert.match(found, problem);
  }
});

test('a move is read from SAN and UCI, with or without its number', () => {
  const at = replay('', []).positions[0];
  assert(at);
  for (const text of ['Nf3', 'nf3', '1. Nf3', 'g1f3', 'G1F3']) {
    const move = readMove(at, text);
    assert(move, text);
    assert.equal(uciOf(at, move), 'g1f3');
  }
  for (const text of ['', 'Nf4', 'e2e5', 'hello']) assert.equal(readMove(at, text), null);
});

const move = (san: string, ...variations: GameMove[][]): GameMove => ({
  san,
  uci: san,
  fen: `fen ${san}`,
  clock: null,
  eval: null,
  nags: [],
  comment: null,
  variations,
});

test('nodes number the main line first, and variations start before the move they replace', () => {
  const nested = [move('c'), move('d', [move('x'), move('y')])];
  const all = nodes({ start: 'fen', moves: [move('a'), move('b', nested), move('z')] });
  assert.deepEqual(
    all.map((node) => node.move?.san ?? 'start'),
    ['start', 'a', 'b', 'z', 'c', 'd', 'x', 'y'],
  );
  assert.deepEqual(
    all.map((node) => node.parent?.number ?? null),
    [null, 0, 1, 2, 1, 4, 4, 6],
  );
  assert.deepEqual(
    all.map((node) => node.ply),
    [0, 1, 2, 3, 2, 3, 3, 4],
  );
  assert.equal(all[1]?.next?.number, 2);
  assert.equal(all[4] && lastOf(all[4]).number, 5);
});

test('winning chances are symmetric and bounded', () => {
  assert.equal(winningChances({ cp: 0 }), 0);
  assert(Math.abs(winningChances({ cp: 300 }) + winningChances({ cp: -300 })) < 1e-12);
  assert.equal(winningChances({ mate: 3 }), 1);
  assert.equal(winningChances({ mate: -3 }), -1);
});
