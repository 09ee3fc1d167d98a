/** Evaluations and clocks of the main line as curves over its plies. A click on a curve goes to its move. */

import { turnOf } from '../board/line.ts';
import { h, svg } from '../dom.ts';
import { clock, evaluation } from '../format.ts';
import type { Evaluation } from '../types.ts';
import type { Node } from './tree.ts';

/** Size of the drawing's own coordinates; it is stretched to the width of the page. */
const WIDTH = 600;
const HEIGHT = 100;

export interface Curve {
  element: HTMLElement;
  /** Moves the cursor to a ply of the main line; null hides it. */
  mark(ply: number | null): void;
}

/** Expected score of White, by the curve that Lichess fits to its games, as a number from -1 to 1. */
export function winningChances({ cp, mate }: Evaluation): number {
  if (mate !== undefined) return mate >= 0 ? 1 : -1;
  return 2 / (1 + Math.exp(-0.00368208 * (cp ?? 0))) - 1;
}

/** The curves that the game has. */
export function curves(line: readonly Node[], go: (node: Node) => void): Curve[] {
  return [evaluations(line, go), clocks(line, go)].filter((curve) => curve !== null);
}

type Point = [x: number, y: number];

const path = (points: readonly Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

const xOf = (ply: number, plies: number): number => (plies === 0 ? 0 : (ply / plies) * WIDTH);

function evaluations(line: readonly Node[], go: (node: Node) => void): Curve | null {
  const plies = line.length - 1;
  const points: Point[] = [];
  for (const { ply, move } of line) {
    if (move?.eval) points.push([xOf(ply, plies), (HEIGHT * (1 - winningChances(move.eval))) / 2]);
  }
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last || points.length < 2) return null;
  const middle = HEIGHT / 2;
  const area = `${path(points)}L${last[0]} ${middle}L${first[0]} ${middle}Z`;
  return frame('Evaluation', line, go, (node) => (node.move?.eval ? evaluation(node.move.eval) : ''), [
    svg('rect', { width: WIDTH, height: HEIGHT, class: 'eval-ground' }),
    svg('path', { d: `M0 ${middle}H${WIDTH}`, class: 'axis' }),
    svg('path', { d: area, class: 'eval-area' }),
    svg('path', { d: path(points), class: 'eval-curve' }),
  ]);
}

function clocks(line: readonly Node[], go: (node: Node) => void): Curve | null {
  const plies = line.length - 1;
  const times = line.map((node) => node.move?.clock ?? 0);
  const most = Math.max(...times, 1);
  // The side that moved is the one whose turn it was: the parity of the ply, from the first move's side.
  const side = (parity: number): Point[] =>
    line.flatMap(({ ply, move }): Point[] => {
      const known = move !== null && move.clock !== null;
      return known && ply % 2 === parity
        ? [[xOf(ply, plies), HEIGHT - 4 - (HEIGHT - 8) * ((move.clock ?? 0) / most)]]
        : [];
    });
  const [white, black] =
    turnOf(line[0]?.fen ?? '').turn === 'white' ? [side(1), side(0)] : [side(0), side(1)];
  if (white.length + black.length < 2) return null;
  return frame(
    'Clocks: White dashed, Black solid',
    line,
    go,
    (node) => (node.move && node.move.clock !== null ? clock(node.move.clock) : ''),
    [
      svg('rect', { width: WIDTH, height: HEIGHT, class: 'clock-ground' }),
      svg('path', { d: `M0 ${HEIGHT - 4}H${WIDTH}`, class: 'axis' }),
      svg('path', { d: path(white), class: 'clock-curve white' }),
      svg('path', { d: path(black), class: 'clock-curve black' }),
    ],
  );
}

function frame(
  title: string,
  line: readonly Node[],
  go: (node: Node) => void,
  value: (node: Node) => string,
  shapes: SVGElement[],
): Curve {
  const plies = line.length - 1;
  const cursor = svg('path', { d: `M0 0V${HEIGHT}`, class: 'cursor' });
  const drawing = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    shapes,
    cursor,
  );
  const label = h('span', { class: 'value' });
  const nodeAt = (event: MouseEvent): Node | undefined => {
    const box = drawing.getBoundingClientRect();
    return line[Math.round(((event.clientX - box.left) / box.width) * plies)];
  };
  let marked: number | null = null;
  const mark = (ply: number | null): void => {
    marked = ply;
    cursor.style.display = ply === null ? 'none' : '';
    cursor.setAttribute('transform', `translate(${xOf(ply ?? 0, plies)} 0)`);
    const node = ply === null ? undefined : line[ply];
    label.textContent = node ? value(node) : '';
  };
  const element = h(
    'figure',
    { class: `curve ${title.toLowerCase().split(':')[0]}` },
    h('figcaption', {}, title, label),
    drawing,
  );
  drawing.addEventListener('mousemove', (event) => {
    const node = nodeAt(event);
    if (node) label.textContent = value(node);
  });
  drawing.addEventListener('mouseleave', () => mark(marked));
  drawing.addEventListener('click', (event) => {
    const node = nodeAt(event);
    if (node) go(node);
  });
  return { element, mark };
}
