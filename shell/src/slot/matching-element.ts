/**
 * Finds the element that stands in a slot for one of another rendering of the same component: the same kind, name and
 * text.
 */
export function counterpartOf(element: Element, slot: Element): Element | undefined {
  const sought = traitsOf(element);
  return [...slot.querySelectorAll(element.localName)].find((other) => traitsOf(other) === sought);
}

function traitsOf(element: Element): string {
  const attributes = ['type', 'name', 'aria-label', 'href'].map((name) => element.getAttribute(name));
  const choice = element instanceof HTMLInputElement && isChoice(element) ? element.value : '';
  const isField = element.matches('input, textarea, select');
  return JSON.stringify([...attributes, choice, isField ? '' : element.textContent]);
}

/** Whether a field is chosen, not typed into. */
export function isChoice({ type }: HTMLInputElement): boolean {
  return type === 'radio' || type === 'checkbox';
}
