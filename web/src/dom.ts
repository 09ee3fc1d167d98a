/**
 * Elements from code. Text is always set as text, never parsed as HTML, so that nothing in a game can become
 * markup. Styles are set one property at a time: the page's security policy forbids style attributes.
 */

export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Handler = (event: never) => void;
export interface Attributes {
  on?: Record<string, Handler>;
  style?: Record<string, string>;
  [attribute: string]: unknown;
}

function apply(element: HTMLElement | SVGElement, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      for (const [event, handler] of Object.entries(value as Record<string, Handler>)) {
        element.addEventListener(event, handler as EventListener);
      }
    } else if (name === 'style') {
      for (const [property, text] of Object.entries(value as Record<string, string>)) {
        element.style.setProperty(property, text);
      }
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  append(element, children);
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child as readonly Child[]);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** An HTML element. Attributes that are null, undefined or false are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes, children);
  return element;
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(element, attributes, children);
  return element;
}

/** Replaces what an element contains. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Text of a game within other text: its letters may run from right to left, or turn the direction around. */
export const own = (text: Child): HTMLElement => h('bdi', {}, text);

/** A button that does something on this page. */
export function button(label: Child, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...attributes, on: { click: action, ...attributes.on } }, label);
}

/** Scrolls to an element that is above the window or in its lower half, so that what follows it is seen. */
export function reveal(element: Element): void {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) element.scrollIntoView();
}

/** Scrolls a list, but not the page, so that an element of it is seen. */
export function scrollWithin(list: Element, element: Element): void {
  const [outer, inner] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    list.scrollTop += inner.top - outer.top - outer.height / 2;
  }
}

/** Handles a form on this page. */
export const submit = (action: () => void) => ({
  submit: (event: SubmitEvent) => {
    event.preventDefault();
    action();
  },
});

/** Attributes of fields for names and notations, which no program should correct. */
export const VERBATIM = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' } as const;

/** A field for a line of text. */
export const textInput = (attributes: Attributes): HTMLInputElement =>
  h('input', { type: 'text', ...VERBATIM, ...attributes });

/** A row of a table, all of which follows the link in it, with handlers of other events. */
export const linkRow = (
  anchor: HTMLAnchorElement,
  on: Record<string, Handler>,
  ...cells: Child[]
): HTMLTableRowElement =>
  h(
    'tr',
    {
      on: {
        click: (event: MouseEvent) => {
          if (event.target instanceof Element && !event.target.closest('a, label')) anchor.click();
        },
        ...on,
      },
    },
    cells,
  );
