/** The moves of a game as a text of links, with comments and nested variations. */

import { moveNumber, turnOf } from '../board/line.ts';
import { type Attributes, type Child, h, scrollWithin } from '../dom.ts';
import { clock, evaluation, symbol } from '../format.ts';
import type { Node } from './tree.ts';

/** Glyphs of moves that are not good: ?, ??, ?!. */
const POOR: readonly number[] = [2, 4, 6];

/** A link to a node. */
type NodeLink = (node: Node, attributes: Attributes, ...children: Child[]) => HTMLElement;

export function moveList(root: Node, to: NodeLink): HTMLElement {
  return h('div', { class: 'move-list' }, root.next ? line(root.next, to, true) : null);
}

/** A line of moves; variations follow the move to which they are alternatives. */
function line(first: Node, to: NodeLink, main: boolean): Child[] {
  const parts: Child[] = [];
  const put = (part: Child): void => {
    if (parts.length > 0) parts.push(' ');
    parts.push(part);
  };
  let numbered = false;
  for (let node: Node | null = first; node; node = node.next) {
    const { move, variations } = node;
    if (move?.before) put(comment(move.before));
    put(moveLink(node, to, !numbered || Boolean(move?.before), main));
    if (move?.comment) put(comment(move.comment));
    for (const variation of variations) {
      put(h('span', { class: 'variation' }, '(', line(variation, to, false), ')'));
    }
    numbered = !move?.comment && variations.length === 0;
  }
  return parts;
}

const comment = (text: string): Child => h('span', { class: 'comment' }, text);

function moveLink(node: Node, to: NodeLink, first: boolean, main: boolean): Child {
  const { move } = node;
  if (!move) return null;
  const number = moveNumber(turnOf(node.parent?.fen ?? ''), first);
  const details = [
    move.eval && `evaluation ${evaluation(move.eval)}`,
    move.clock !== null && `clock ${clock(move.clock)}`,
  ].filter(Boolean);
  return to(
    node,
    {
      class: main ? 'move main' : 'move',
      'data-node': node.number,
      'data-replace': true,
      title: details.length > 0 ? details.join(', ') : null,
    },
    number && h('span', { class: 'move-number' }, number, ' '),
    move.san,
    move.nags.map((nag) => h('span', { class: POOR.includes(nag) ? 'nag poor' : 'nag' }, symbol(nag))),
  );
}

/** Marks the move of a node and brings it into view within the list. */
export function markMove(list: HTMLElement, number: number): void {
  list.querySelector('[aria-current]')?.removeAttribute('aria-current');
  const current = list.querySelector<HTMLElement>(`a.move[data-node="${number}"]`);
  current?.setAttribute('aria-current', 'true');
  if (!current) {
    list.scrollTop = 0;
    return;
  }
  scrollWithin(list, current);
}
