/** Lines of moves, FENs, and the nodes of a game. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fenOf, position, readMove, replay, uciOf, wholePosition } from '../src/board/line.ts';
import { winningChances } from '../src/game/curves.ts';
import { lastOf, nodes } from '../src/game/tree.ts';
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

test('the FEN of a search states the side to move and the castling rights', () => {
  for (const [fen, problem] of [
    ['8/8/4k3/8/8/4K3/4P3/8', /the side to move and the castling rights/],
    ['8/8/4k3/8/8/4K3/4P3/8 w', /the castling rights/],
    ['8/8/4k3/8/8/4K3/4P3', /not a FEN/],
  ] as const) {
    const found = wholePosition(fen);
    assert(typeof found === 'string', fen);
    assert.match(found, problem);
    assert.equal(replay(fen, ['e2e4']).badRoot, found);
  }
  for (const fen of ['', '8/8/4k3/8/8/4K3/4P3/8 w -', '8/8/4k3/8/8/4K3/4P3/8_w_-'])
    assert(typeof wholePosition(fen) !== 'string', fen);
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
