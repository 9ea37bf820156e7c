import type { DOMWindow } from 'jsdom';

/** Reads a page's DOM with the original functions, even if scripts replace `querySelectorAll` or prototypes. */
export interface DomReader {
  findAll(selector: string): readonly Element[];
  attributeOf(element: Element, name: string): string | null;
  textOf(element: Element): string;
  /** Dispatches a `pointerdown`, as a visitor's first interaction does. */
  press(element: Element): void;
}

/** Captures the functions of a page's DOM. Must be called before a script of the page runs. */
export function createDomReader({
  document,
  Document,
  Element,
  Event,
  EventTarget,
  Node,
  NodeList,
}: DOMWindow): DomReader {
  const { querySelectorAll } = Document.prototype;
  const { getAttribute } = Element.prototype;
  const { dispatchEvent } = EventTarget.prototype;
  const lengthOf = getterOf(NodeList.prototype, 'length');
  const textContentOf = getterOf(Node.prototype, 'textContent');
  return {
    findAll(selector) {
      const found = Reflect.apply(querySelectorAll, document, [selector]) as NodeListOf<Element>;
      return Array.from({ length: Number(lengthOf(found)) }, (_none, index) => found[index]).filter(
        (element) => element !== undefined,
      );
    },
    attributeOf: (element, name) =>
      Reflect.apply<Element, [string], string | null>(getAttribute, element, [name]),
    textOf(element) {
      const text = textContentOf(element);
      return typeof text === 'string' ? text : '';
    },
    press(element) {
      Reflect.apply(dispatchEvent, element, [new Event('pointerdown', { bubbles: true })]);
    },
  };
}

function getterOf(prototype: object, property: string): (owner: object) => unknown {
  const { get } = Object.getOwnPropertyDescriptor(prototype, property) ?? {};
  if (!get) throw new TypeError(`This DOM has no ${property}.`);
  return (owner) => Reflect.apply(get, owner, []) as unknown;
}
