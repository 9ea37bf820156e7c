// The functions of this file run in the page, so each refers only to itself and to `describeElement` of `visitor-scripts.ts`.

declare global {
  /** Set by {@link recordChanges}: reads what has happened since the page was opened. */
  var readChanges: (() => Readonly<Record<string, readonly string[]>>) | undefined;
}

/** Runs before the scripts of the page: notes what changes later, in some slots. */
export function recordChanges(selector: string): void {
  /** Limit of announcements by a live region, because a visitor can do nothing else meanwhile. */
  const maxAnnounced = 4;
  /** In pixels. Fonts and lines that break otherwise move less. */
  const maxGrowth = 200;
  const liveRegion = '[aria-live]:not([aria-live=off]), [role=status], [role=alert]';
  const heights = new Map<HTMLElement, number>();
  const announced = new Map<Element, number>();
  let firstTheme: string | undefined;
  const themeNow = () =>
    `${document.documentElement.dataset['theme'] ?? 'none'}, ${getComputedStyle(document.body).backgroundColor}`;
  // Height of the content, not of the slot, which may be laid out late.
  const heightOf = (slot: Element) => {
    const bottoms = Array.from(
      slot.querySelectorAll('h2, h3, p, li, dd, td, a, button, label'),
      (each) => each.getBoundingClientRect().bottom,
    );
    return Math.max(...bottoms) - (slot.firstElementChild?.getBoundingClientRect().top ?? 0);
  };
  const noteFirstFrame = () => {
    if (document.body as Element | null) firstTheme = themeNow();
    else requestAnimationFrame(noteFirstFrame);
  };
  requestAnimationFrame(noteFirstFrame);
  const watcher = new MutationObserver((records) => {
    const elements = records.map(({ target }) => (target instanceof Element ? target : target.parentElement));
    // Not as a property, because a form with a field of this name would hide it.
    const regions = new Set(elements.map((each) => each && Element.prototype.closest.call(each, liveRegion)));
    for (const region of regions) if (region) announced.set(region, (announced.get(region) ?? 0) + 1);
  });
  document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive') return;
    // `html`: a shell answers for all slots.
    const all = selector === 'html' ? '[data-remote]' : selector;
    for (const slot of document.querySelectorAll<HTMLElement>(all)) heights.set(slot, heightOf(slot));
    watcher.observe(document, { subtree: true, childList: true, characterData: true });
  });
  globalThis.readChanges = () => ({
    growth: [...heights].flatMap(([slot, height]) => {
      const { remote = '', exposed = '' } = slot.dataset;
      const growth = Math.round(heightOf(slot) - height);
      return growth > maxGrowth ? [`${remote}: ${exposed} by ${growth} px`] : [];
    }),
    announced: [...announced].flatMap(([region, times]) =>
      times > maxAnnounced ? [`${describeElement(region).replace(/ ".*/, '')} ${times} times`] : [],
    ),
    'first frames':
      firstTheme === undefined || firstTheme === themeNow() ? [] : [`${firstTheme}, then ${themeNow()}`],
  });
}
