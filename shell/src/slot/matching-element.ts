/** Finds the element of a slot that corresponds to one from another rendering of the same component: same tag, name and text. */
// blind spot: no step uses markup that is rendered again, but tests of form-state do.
export function findMatchingElement(element: Element, slot: Element): Element | undefined {
  const sought = traitsOf(element);
  return [...slot.querySelectorAll(element.localName)].find((other) => traitsOf(other) === sought);
}

// blind spot: no step uses markup that is rendered again, but tests of form-state do.
function traitsOf(element: Element): string {
  const attributes = ['type', 'name', 'aria-label', 'href'].map((name) => element.getAttribute(name));
  const choice = element instanceof HTMLInputElement && isChoice(element) ? element.value : '';
  const isField = element.matches('input, textarea, select');
  return JSON.stringify([...attributes, choice, isField ? '' : element.textContent]);
}

/** Whether an input is a radio button or a checkbox. */
// blind spot: no step uses markup that is rendered again, but tests of form-state do.
export function isChoice({ type }: HTMLInputElement): boolean {
  return type === 'radio' || type === 'checkbox';
}
