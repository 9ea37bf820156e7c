// The functions of this file run in the page, so each refers only to itself and to the globals of `visitor-scripts.ts`.

/** The observation of what no part may change, without using the page. `invariants.ts` compares it with that of the live page. */
export function readPage(themeKey: string) {
  const properties =
    'overflow pointer-events position touch-action user-select filter opacity transform cursor'.split(' ');
  const stylesOf = (element: HTMLElement | null) => {
    if (!element) return ['missing'];
    const styles = getComputedStyle(element);
    return [
      ...['inert', 'hidden', 'aria-hidden'].filter((name) => element.hasAttribute(name)),
      ...properties.map((property) => `${property}: ${styles.getPropertyValue(property)}`),
    ];
  };
  const stored = () => {
    try {
      return [`${themeKey}=${String(localStorage.getItem(themeKey)).slice(0, 40)}`];
    } catch {
      return [];
    }
  };
  const outerHtmlOf = (selector: string) =>
    Array.from(document.querySelectorAll(selector), (each) => each.outerHTML);
  const { documentElement: html, body, activeElement } = document;
  return {
    title: [document.title],
    language: [html.lang, html.dir],
    // Without colours, which a theme changes.
    head: outerHtmlOf(
      'meta:is([name], [property]):not([name=robots], [name=theme-color]), link:is([rel=canonical], [rel=alternate]), [type="application/ld+json"]',
    ),
    indexing: outerHtmlOf('meta[name=robots]'),
    address: [
      location.pathname + location.search + location.hash,
      `${history.length} entries of the history`,
    ],
    place: [`${Math.round(scrollY)} px from the top`, `focus on ${activeElement?.localName ?? 'nothing'}`],
    html: stylesOf(html),
    body: stylesOf(body),
    main: stylesOf(document.querySelector('main')),
    storage: stored(),
    // Servers refuse requests with large headers, the site's own from 16 kB on. This leaves room for other headers and later visits.
    cookies: document.cookie.length > 2000 ? [`${document.cookie.length} characters of cookies`] : [],
    functions: globalThis.replacedFunctions?.() ?? [],
  };
}

/** The slots of live remotes, and those that show nothing. */
export function readSlots() {
  const release = document.querySelector('#release-document')?.textContent ?? '';
  const slots = [...document.querySelectorAll<HTMLElement>('[data-remote]')].filter(({ dataset }) =>
    release.includes(`"${dataset['remote'] ?? ''}":`),
  );
  const nameOf = ({ dataset }: HTMLElement) => `${dataset['remote'] ?? ''}: ${dataset['exposed'] ?? ''}`;
  const isHidden = (slot: HTMLElement) => {
    const range = document.createRange();
    range.selectNodeContents(slot);
    const { width, height } = range.getBoundingClientRect();
    const isEmpty = slot.textContent.trim() === '' && !slot.querySelector('img, svg');
    return isEmpty || width === 0 || height === 0;
  };
  const brokenTexts = slots.flatMap((slot) => {
    // Samples of code may have such words.
    const texts = [...slot.querySelectorAll(':not(pre, pre *, code, code *)')].flatMap((each) =>
      [...each.childNodes].filter((node) => node instanceof Text),
    );
    const found = texts.filter(({ data }) => /\b(NaN|undefined|Invalid Date)\b|\[object \w+\]/.test(data));
    return found.map(({ data }) => `${nameOf(slot)}: "${data.slice(0, 60)}"`);
  });
  return {
    slots: slots.map(nameOf),
    hidden: slots.filter(isHidden).map(nameOf),
    'broken texts': brokenTexts,
  };
}

/** Events that scripts keep from having an effect, or from reaching the document. */
export function swallowedEvents() {
  const main = document.querySelector('main') ?? document.body;
  const types = [
    ...['copy', 'cut', 'paste', 'contextmenu', 'selectstart', 'touchmove', 'click'],
    // To come back to the page.
    ...['visibilitychange', 'pageshow', 'online'],
  ];
  const options = { bubbles: true, cancelable: true };
  // By the wheel with Ctrl, the page is zoomed.
  const events = [
    new WheelEvent('wheel', { ...options, ctrlKey: true }),
    ...types.map((type) => new Event(type, options)),
  ];
  const swallowed = events.filter((event) => {
    let arrived = false;
    document.addEventListener(event.type, () => (arrived = true), { once: true });
    return !main.dispatchEvent(event) || !arrived;
  });
  return swallowed.map(({ type }) => type);
}

/**
 * Scrolls through the page as a reader does: which controls and headings a person can see and press, and how they look.
 *
 * @param limits how long one of them may take to fade in, and all that do so, in milliseconds
 */
export async function walkThrough(limits: { readonly one: number; readonly all: number }) {
  const nextFrame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary, h1, h2, h3';
  const elements = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (element) => !element.matches(':disabled') && !element.closest('[inert], [aria-hidden="true"]'),
  );
  const free = new Set<HTMLElement>();
  const header = document.querySelector('header');
  const isSticky = header !== null && getComputedStyle(header).position === 'sticky';
  /** Stays in the window while the page scrolls, and must stay free. */
  const isPinned = (element: HTMLElement) => isSticky && header.contains(element);
  /** Element → what is in its place. */
  const covered = new Map<HTMLElement, string>();
  const observe = (element: HTMLElement) => {
    const label = element.closest('label') ?? element;
    const { left, top, width, height } = label.getClientRects()[0] ?? label.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + Math.min(height / 2, 20)];
    // Controls that only screen readers find have no size, and a skip link is outside of the window until it has the focus.
    if (width < 2 || height < 2 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return;
    const hit = document.elementFromPoint(x, y);
    const isDrawn = label.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const isFree = isDrawn && hit && (label.contains(hit) || hit.contains(label));
    if (!isFree)
      covered.set(element, isDrawn && hit ? describeElement(hit) : 'nothing, because it is invisible');
    if (isPinned(element) && covered.has(element)) free.delete(element);
    else if (isFree) free.add(element);
  };
  const scrollUp = () => scrollTo({ top: 0, behavior: 'instant' });
  scrollUp();
  const step = Math.round(innerHeight * 0.6);
  for (let top = 0, last = -1; scrollY !== last && top < 40_000; top += step) {
    last = scrollY;
    for (const element of elements) if (!free.has(element) || isPinned(element)) observe(element);
    scrollTo({ top: top + step, behavior: 'instant' });
    await nextFrame();
  }
  // Once more, because an element may fade in once it is near.
  let all = limits.all;
  const hidden = elements.filter((each) => covered.has(each) && !free.has(each));
  for (const element of hidden.filter((each) => !isPinned(each))) {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    // Only programs can scroll such a box.
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement)
      if (getComputedStyle(box).overflowY === 'hidden') box.scrollTop = 0;
    let one = limits.one;
    do {
      const start = performance.now();
      await nextFrame();
      observe(element);
      // As in `pollWhileFound`, because a burst of load can stop the page for longer than the limit.
      const passed = Math.min(performance.now() - start, limits.one / 5);
      one -= passed;
      all -= passed;
    } while (!free.has(element) && Math.min(one, all) > 0);
  }
  scrollUp();
  const appearance = elements.map((element) => {
    const { color, backgroundColor, fontSize, fontFamily } = getComputedStyle(element);
    const address = element.getAttribute('href') ?? '';
    const font = `${fontSize}, ${fontFamily.slice(0, 20)}`;
    return `${describeElement(element)} ${address}, ${color}, ${backgroundColor}, ${font}`;
  });
  return {
    reachable: [...free].map(describeElement),
    covered: [...covered]
      .filter(([element]) => !free.has(element))
      .map(([element, by]) => `${describeElement(element)} by ${by}`),
    appearance,
  };
}

/** The texts that make the page scroll sideways, or are cut off at the edges of the window. */
export function contentTooWide() {
  const { clientWidth, scrollWidth } = document.documentElement;
  const isInWindow = (element: Element) => {
    const { left, right } = element.getBoundingClientRect();
    return left >= -1 && right <= clientWidth + 1;
  };
  // A box of the part that scrolls or clips, such as a carousel, may have content outside of the window.
  const isCutOff = (element: Element): boolean => {
    const box = element.parentElement?.closest<HTMLElement>('[data-remote] *');
    if (!box) return false;
    return (isInWindow(box) && getComputedStyle(box).overflowX !== 'visible') || isCutOff(box);
  };
  const wide = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      !isInWindow(element) &&
      element.textContent.trim() !== '' &&
      element.getBoundingClientRect().width > 1 &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[aria-hidden="true"], [inert]') &&
      !isCutOff(element),
  );
  if (wide.length === 0 && scrollWidth > clientWidth)
    return [`page: it is ${scrollWidth} px wide, the window ${clientWidth}`];
  return wide.map((element) => {
    const { left, right } = element.getBoundingClientRect();
    return `${describeElement(element)} reaches from ${Math.round(left)} to ${Math.round(right)} px of ${clientWidth}`;
  });
}

/** Presses in each slot without code, so that it loads. Returns those of the remotes in `versions` that run no version or another one. */
export function pressSlots(versions: Readonly<Record<string, string>>): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-remote]')].flatMap((slot) => {
    const { remote = '', exposed = '', version, state } = slot.dataset;
    if (version === undefined) {
      const press = new PointerEvent('pointerdown', { bubbles: true });
      // Not as a property, because a form with a field of this name would hide it.
      EventTarget.prototype.dispatchEvent.call(slot.firstElementChild ?? slot, press);
    }
    const isRunning = version === versions[remote] && state === 'running';
    return versions[remote] === undefined || isRunning ? [] : [`${remote}: ${exposed}`];
  });
}

/** Waits for some frames. Returns whether the page has scrolled in them. */
export async function waitForFrames(): Promise<true | undefined> {
  const before = scrollY;
  for (let frame = 0; frame < 5; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  return scrollY === before ? undefined : true;
}

/** Whether most texts of an element that are in the window have no opacity in the next frame. Without frames, none fades in. */
export async function isTransparent(element: Element): Promise<true | undefined> {
  await new Promise((done) => requestAnimationFrame(done));
  const texts = [...element.querySelectorAll('p, li, dd, td, blockquote')].filter((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return top > 0 && bottom < innerHeight && each.checkVisibility();
  });
  const unseen = texts.filter((each) => !each.checkVisibility({ opacityProperty: true }));
  return unseen.length > texts.length / 2 ? true : undefined;
}
