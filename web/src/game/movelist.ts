/** The moves of a game as a text of links, with comments and nested variations. */

import { type Child, h } from '../dom.ts';
import { clock, evaluation, nags } from '../format.ts';
import { type Node, turnOf } from './tree.ts';

export function moveList(root: Node, href: (node: Node) => string): HTMLElement {
  return h('div', { class: 'move-list' }, root.next ? line(root.next, href, true) : null);
}

/** A line of moves; variations follow the move to which they are alternatives. */
function line(first: Node, href: (node: Node) => string, main: boolean): Child[] {
  const parts: Child[] = [];
  let numbered = false;
  for (let node: Node | null = first; node; node = node.next) {
    const before = node.move?.before;
    if (before) parts.push(comment(before));
    parts.push(moveLink(node, href, !numbered || Boolean(before), main));
    numbered = true;
    const { move } = node;
    if (move?.comment) {
      parts.push(comment(move.comment));
      numbered = false;
    }
    for (const variation of node.variations) {
      parts.push(h('span', { class: 'variation' }, '(', line(variation, href, false), ')'), ' ');
      numbered = false;
    }
  }
  return parts;
}

const comment = (text: string): Child[] => [h('span', { class: 'comment' }, text), ' '];

function moveLink(node: Node, href: (node: Node) => string, first: boolean, main: boolean): Child[] {
  const { move } = node;
  if (!move) return [];
  const turn = turnOf(node.parent?.fen ?? '');
  const number = turn.white ? `${turn.number}. ` : first ? `${turn.number}… ` : '';
  const details = [
    move.eval && `evaluation ${evaluation(move.eval)}`,
    move.clock !== null && `clock ${clock(move.clock)}`,
  ].filter(Boolean);
  return [
    h(
      'a',
      {
        class: main ? 'move main' : 'move',
        href: href(node),
        'data-node': node.number,
        'data-replace': true,
        title: details.length > 0 ? details.join(', ') : null,
      },
      number && h('span', { class: 'move-number' }, number),
      move.san,
      move.nags.length > 0 && h('span', { class: 'nag' }, nags(move.nags)),
    ),
    ' ',
  ];
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
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    list.scrollTop += inner.top - outer.top - outer.height / 2;
  }
}
