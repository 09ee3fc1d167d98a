/** The address of the page holds all that it shows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILTERS, joinRange, kindOf, splitRange } from '../src/filters.ts';
import { atPosition, read, START, type State, write } from '../src/state.ts';

FILTERS.push(
  ...[
    ['white', 'pattern'],
    ['white_elo', 'numbers'],
    ['speed', 'choices'],
    ['tag', 'expression'],
    ['exclude', 'condition'],
    ['like', 'score'],
    ['final', 'flag'],
  ].map(([name = '', form = '']) => ({
    ...{ name, form, choices: [], heading: '', label: name, help: '', example: '' },
  })),
);

/** Numbers that are the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function anyState(below: (n: number) => number): State {
  const words = [
    'Carlsen*',
    '2000..2200',
    'a&b=c',
    '1. e4 e5',
    'ü?#/+',
    '..5',
    '%20',
    '8/8/8/8/8/8/8/8 w - -',
  ];
  const word = (): string => words[below(words.length)] ?? '';
  const filters: Record<string, string[]> = {};
  for (const filter of FILTERS) {
    if (below(6) === 0) filters[filter.name] = kindOf(filter) === 'lines' ? [word(), word()] : [word()];
  }
  const play = ['e2e4', 'e7e5', 'e1g1', 'a7a8q'].slice(0, below(5));
  const views = ['explorer', 'editor', 'statistics', 'game', 'dropped', 'droppedGame'] as const;
  const view = views[below(views.length)] ?? 'explorer';
  const isGame = view === 'game' || view === 'droppedGame';
  return {
    view,
    archive: below(2) === 0 ? '' : 'https://chess.example/a b/games.ign?key=1&x=%20',
    source: below(2) === 0 ? '' : 'my games',
    fen: below(2) === 0 ? '' : '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1',
    play,
    at: below(play.length + 1),
    kept: below(2) === 0 ? [] : ['e2e4,e7e5', 'd2d4'],
    filters,
    offset: below(3) * 50,
    order: below(2) === 0 ? '' : '-rating',
    with: below(2) === 0 ? '' : 'source=a&elo=2200..&tag=A%3D1',
    sort: below(2) === 0 ? '' : 'elo:desc',
    game: isGame ? 1 + below(99) : 0,
    node: isGame ? below(99) : 0,
    tried: isGame ? ['e2e4', 'a7a8q'].slice(0, below(3)) : [],
    flip: below(2) === 0,
  };
}

test('an address that was written reads as the same state', () => {
  const below = random(1);
  for (let i = 0; i < 1000; i++) {
    const state = anyState(below);
    assert.deepEqual(read(write(state)), state, write(state));
  }
});

test('the start has an empty address', () => {
  assert.equal(write(START), '?');
  assert.deepEqual(read(''), START);
});

test('nonsense in an address is left out', () => {
  const state = read('?game=-3&at=99&play=e2e4,,&offset=1.5&view=unknown&node=x&unknown=1&white=+');
  assert.deepEqual(state, { ...START, play: ['e2e4'], at: 1 });
});

test('a request has the position and the conditions', () => {
  const state = read('?source=a&play=e2e4,e7e5,g1f3&at=2&speed=blitz&tag=A%3D1&tag=B%3D2&offset=50');
  assert.equal(atPosition(state).toString(), 'source=a&speed=blitz&tag=A%3D1&tag=B%3D2&play=e2e4%2Ce7e5');
});

test('ranges join and split', () => {
  for (const [text, from, to] of [
    ['2000..2200', '2000', '2200'],
    ['2000..', '2000', ''],
    ['..2200', '', '2200'],
    ['2013-01', '2013-01', '2013-01'],
    ['-200..-100', '-200', '-100'],
    ['1000..1200,2200..', '1000..1200,2200..', ''],
    ['B20,C00', 'B20,C00', ''],
    ['', '', ''],
  ] as const) {
    assert.deepEqual(splitRange(text), [from, to]);
    assert.equal(joinRange(from, to), text);
  }
});
