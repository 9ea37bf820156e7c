/** What the page is asked to watch. */
export interface Watch {
  /** Component → the controls that a visitor can use in it. */
  readonly controls: Readonly<Record<ComponentName, string>>;
  readonly splash: string;
  /** How many controls a component has at least. Those of a page that grows section by section are not there at once. */
  readonly leastControls: number;
  /** Whether the visitor goes to the call to action as soon as the splash is over. */
  readonly scrollsToCallToAction: boolean;
  /** Name of the function that is called once all that this visit waits for can be used. */
  readonly done: string;
}

export const componentNames = ['header', 'pricing', 'callToAction'] as const;
export type ComponentName = (typeof componentNames)[number];

/** What was seen in the page, in milliseconds since the navigation. */
export interface Observed {
  readonly timeOrigin: number;
  splashEnd?: number;
  heroPainted?: number;
  /** When the code of each component had taken hold of all its controls. */
  readonly usable: Partial<Record<ComponentName, number>>;
  firstPaint?: number;
  largestPaint?: number;
  readonly shifts: { readonly at: number; readonly value: number }[];
  readonly longTasks: { readonly at: number; readonly duration: number }[];
  /** Durations of the events of the first interaction. */
  readonly interactions: number[];
}

/**
 * Runs in the page before its own scripts, the same for every variant. A control can be used once React has attached
 * its handlers to it and the tree that it stands in is committed.
 */
export function observePage({ controls, splash, leastControls, scrollsToCallToAction, done }: Watch): void {
  const observed: Observed = {
    timeOrigin: performance.timeOrigin,
    usable: {},
    shifts: [],
    longTasks: [],
    interactions: [],
  };
  Object.assign(globalThis, { observedPage: observed });

  const observe = (type: string, take: (entry: never) => void, options = {}) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as never);
    });
    observer.observe({ type, buffered: true, ...options });
  };
  observe('paint', ({ name, startTime }: PerformanceEntry) => {
    if (name === 'first-contentful-paint') observed.firstPaint = startTime;
  });
  observe('largest-contentful-paint', ({ startTime }: PerformanceEntry) => {
    observed.largestPaint = startTime;
  });
  observe('layout-shift', (shift: PerformanceEntry & { value: number; hadRecentInput: boolean }) => {
    if (!shift.hadRecentInput) observed.shifts.push({ at: shift.startTime, value: shift.value });
  });
  observe('longtask', ({ startTime, duration }: PerformanceEntry) => {
    observed.longTasks.push({ at: startTime, duration });
  });
  observe('element', ({ renderTime }: PerformanceEntry & { renderTime: number }) => {
    observed.heroPainted ??= renderTime;
  });
  observe('first-input', ({ duration }: PerformanceEntry) => observed.interactions.push(duration));
  observe(
    'event',
    ({ duration, interactionId }: PerformanceEventTiming & { interactionId?: number }) => {
      if (interactionId) observed.interactions.push(duration);
    },
    { durationThreshold: 16 },
  );

  // Only elements that have the attribute when they are painted are timed, and of a text only the block that it is in.
  const headings = new MutationObserver(() => {
    for (const block of document.querySelectorAll('h1, h1 *')) block.setAttribute('elementtiming', 'hero');
    if (observed.heroPainted !== undefined) headings.disconnect();
  });
  headings.observe(document, { childList: true, subtree: true });

  interface Fiber {
    readonly return: Fiber | null;
    readonly stateNode: { readonly current: { readonly memoizedState: { readonly isDehydrated?: boolean } } };
  }
  const canBeUsed = (element: Element) => {
    const keys = Object.keys(element);
    const fiberKey = keys.find((key) => key.startsWith('__reactFiber$'));
    if (!fiberKey || !keys.some((key) => key.startsWith('__reactProps$'))) return false;
    let fiber = (element as unknown as Record<string, Fiber>)[fiberKey];
    while (fiber?.return) fiber = fiber.return;
    return fiber?.stateNode.current.memoizedState.isDehydrated !== true;
  };

  const components = Object.entries(controls) as [keyof typeof controls, string][];
  const needed = components.filter(([name]) => name !== 'callToAction' || scrollsToCallToAction);
  let splashSeen = false;
  let scrolled = false;
  const look = () => {
    const now = performance.now();
    const covered = document.querySelector(splash) !== null;
    splashSeen ||= covered;
    if (splashSeen && !covered) observed.splashEnd ??= now;
    for (const [name, selector] of components) {
      if (observed.usable[name] !== undefined) continue;
      const elements = [...document.querySelectorAll(selector)];
      if (elements.length >= leastControls && elements.every(canBeUsed)) observed.usable[name] = now;
    }
    if (scrollsToCallToAction && !scrolled && observed.splashEnd !== undefined) {
      const target = document.querySelector(controls.callToAction);
      target?.scrollIntoView({ block: 'center', behavior: 'instant' });
      scrolled = target !== null;
    }
    if (observed.splashEnd !== undefined && needed.every(([name]) => observed.usable[name] !== undefined)) {
      (globalThis as unknown as Record<string, () => void>)[done]?.();
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}
