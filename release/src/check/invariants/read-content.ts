// The functions of this file run in the page, so each refers only to itself and to `describeElement` of `visitor-scripts.ts`.

declare global {
  /** Set by {@link chooseOptions}: the fields that are replaced or set back since then. Chooses again what was chosen at first. */
  var readFields: (() => readonly string[]) | undefined;
}

/** The content below some elements, each with its text. `present` also has content that is no longer shown. */
export function readContent(selector: string) {
  const kinds =
    'section, nav, form, ul, ol, dl, table, figure, blockquote, pre, h1, h2, h3, p, a, [aria-label]';
  const elements = [...document.querySelectorAll(`:is(${selector}) :is(${kinds})`)];
  const named = elements.filter((element) => element.textContent.trim() !== '');
  const partOf = (element: Element) =>
    element.closest<HTMLElement>('[data-remote]')?.dataset['remote'] ?? 'shell';
  const nameOf = (element: Element) =>
    `${partOf(element)}: ${element.localName} "${element.textContent.replaceAll(/\s+/g, ' ').trim().slice(0, 40)}"`;
  const isDrawn = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    (element.getBoundingClientRect().height > 1 || getComputedStyle(element).display === 'contents');
  // The content of a hidden element counts with it. Some of several siblings may be hidden, such as in a carousel.
  const isHidden = (element: Element) => {
    const { parentElement: parent, localName } = element;
    if (isDrawn(element) || !parent || !isDrawn(parent) || parent.matches('details, dialog')) return false;
    return ![...parent.children].some((each) => each.localName === localName && isDrawn(each));
  };
  const slots = [...document.querySelectorAll<HTMLElement>('[data-remote]')];
  const slotName = (slot: HTMLElement) => `${partOf(slot)}: ${slot.dataset['exposed'] ?? ''}`;
  const textOf = (slot: Element) =>
    [...slot.children].map((each) => (each as HTMLElement).innerText).join('');
  scrollTo({ top: 0, behavior: 'instant' });
  // Styles may show them in another order than that of the document.
  const topOf = ({ firstElementChild: first }: Element) =>
    first && isDrawn(first) ? first.getBoundingClientRect().top : undefined;
  const inOrder = slots
    .filter((slot) => topOf(slot) !== undefined)
    .toSorted((one, other) => (topOf(one) ?? 0) - (topOf(other) ?? 0))
    .map(slotName);
  const pairs = inOrder.flatMap((one, index) => inOrder.slice(index + 1).map((other) => [one, other]));
  return {
    present: [...named.map(nameOf), ...pairs.map(([one, other]) => `${other} before ${one}`)],
    shown: named.filter((element) => !isHidden(element)).map(nameOf),
    linked: named.filter((element) => element.matches('a[href]')).map(nameOf),
    // The text of `aria-labelledby` is shown, so that it may change as any other.
    labels: named
      .filter((element) => element.matches('[aria-label], [aria-labelledby]'))
      .map((element) => `${nameOf(element)}, whose label is "${element.ariaLabel ?? ''}"`),
    order: pairs.map(([one, other]) => `${one} before ${other}`),
    texts: slots.map((slot) => `${slotName(slot)} ${textOf(slot).length}`),
  };
}

/** The sticky and fixed elements that the window shows once the page is scrolled, without their texts. */
export async function readPinned(): Promise<readonly string[]> {
  scrollTo({ top: 1_500, behavior: 'instant' });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const pinned = [...document.querySelectorAll('body *')].filter((element) => {
    if (!/sticky|fixed/.test(getComputedStyle(element).position) || !element.checkVisibility()) return false;
    const { top, bottom, width, height } = element.getBoundingClientRect();
    return bottom > 1 && top < innerHeight && width > 1 && height > 1;
  });
  scrollTo({ top: 0, behavior: 'instant' });
  return pinned.map((element) => describeElement(element).replace(/ ".*/, ''));
}

/** The links to the own site, with their paths, and whether a press of those to this page leads to nothing or loads it again. */
export function readLinks() {
  const loadsAgain = (link: Element) => {
    let isHandled: boolean | undefined;
    const note = (event: Event) => {
      isHandled = event.defaultPrevented;
      event.preventDefault();
    };
    addEventListener('click', note);
    const goesOn = link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    removeEventListener('click', note);
    // If a handler kept the event from the window, `goesOn` tells whether one cancelled it. Otherwise `note` itself has cancelled it, and
    // saw before whether a handler had.
    return isHandled === undefined ? goesOn : !isHandled;
  };
  return [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].flatMap((link) => {
    const { origin, pathname, hash } = new URL(link.href, location.href);
    if (origin !== location.origin) return [];
    const hasNoTarget = () => !document.getElementById(decodeURIComponent(hash.slice(1)));
    const leadsNowhere = hash === '' ? loadsAgain : hasNoTarget;
    const name = `${describeElement(link)} to ${link.getAttribute('href') ?? ''}`;
    return { name, pathname, isDead: pathname === location.pathname && leadsNowhere(link) };
  });
}

/** Chooses another option of each group below some elements, as a visitor does. */
export function chooseOptions(selector: string): void {
  const found = document.querySelectorAll<HTMLInputElement>(`:is(${selector}) :is(input, textarea)`);
  const names = new Map(Array.from(found, (field) => [field, describeElement(field.labels?.[0] ?? field)]));
  const options = [...found].filter(({ type, disabled }) => type === 'radio' && !disabled);
  const atFirst = options.filter(({ checked }) => checked);
  const groups = Map.groupBy(options, ({ name }) => name).values();
  const chosen = new Set([...groups].map((group) => group.findLast(({ checked }) => !checked)));
  for (const option of chosen) option?.click();
  globalThis.readFields = () => {
    const lost = [...names].filter(([field]) => !field.isConnected || (chosen.has(field) && !field.checked));
    for (const option of atFirst) option.click();
    return lost.map(([, name]) => name);
  };
}
