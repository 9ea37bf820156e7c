import type { DOMWindow } from 'jsdom';

/** Reads a page's DOM. Whatever its scripts replace (`querySelectorAll`, prototypes) changes nothing of what is read. */
export interface DomReader {
  findAll(selector: string): readonly Element[];
  attributeOf(element: Element, name: string): string | null;
  textOf(element: Element): string;
  /** Does to an element what a visitor does who begins to use it. */
  press(element: Element): void;
}

/** Keeps the functions of a page's DOM as they are before a script of the page runs. */
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
      const found = Reflect.apply(querySelectorAll, document, [selector]);
      return Array.from({ length: Number(lengthOf(found)) }, (_none, index) => found[index]).filter(
        (element) => element !== undefined,
      );
    },
    attributeOf: (element, name) => Reflect.apply(getAttribute, element, [name]),
    textOf: (element) => String(textContentOf(element) ?? ''),
    press: (element) => Reflect.apply(dispatchEvent, element, [new Event('pointerdown', { bubbles: true })]),
  };
}

function getterOf(prototype: object, property: string): (owner: object) => unknown {
  const { get } = Object.getOwnPropertyDescriptor(prototype, property) ?? {};
  if (!get) throw new TypeError(`This DOM has no ${property}.`);
  return (owner) => Reflect.apply(get, owner, []);
}
