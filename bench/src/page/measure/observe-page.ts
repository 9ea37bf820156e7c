/** Parameters of the observation. */
export interface Watch {
  /** Component → selector of its buttons and fields. */
  readonly controls: Readonly<Record<ComponentName, string>>;
  readonly splash: string;
  /** Whether to scroll to the call to action after the splash. */
  readonly scrollsToCallToAction: boolean;
  /** Message on the console when all needed components are usable. */
  readonly done: string;
}

type ComponentName = 'header' | 'pricing' | 'callToAction';

/** Observed times, in milliseconds since the navigation. */
export interface Observed {
  readonly timeOrigin: number;
  splashEnd?: number;
  heroPainted?: number;
  /** When all controls of a component were hydrated. */
  readonly usable: Partial<Record<ComponentName, number>>;
  firstPaint?: number;
  largestPaint?: number;
  readonly shifts: { readonly at: number; readonly value: number }[];
  readonly longTasks: { readonly at: number; readonly duration: number }[];
  /** Event durations of the first interaction. */
  readonly interactions: number[];
}

/**
 * Runs in the page before its scripts, the same for all variants. A control is usable when React has attached
 * its handlers and has committed its tree.
 */
export function observePage({ controls, splash, scrollsToCallToAction, done }: Watch): void {
  const observed: Observed = {
    timeOrigin: performance.timeOrigin,
    usable: {},
    shifts: [],
    longTasks: [],
    interactions: [],
  };
  Object.assign(globalThis, { observedPage: observed });

  const observe = (type: string, onEntry: (entry: never) => void, options = {}) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) onEntry(entry as never);
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

  // The browser creates `element` entries only for elements that have this attribute when they are painted. For text, the attribute
  // counts on the block that contains the text, so the heading and all elements in it get it.
  const headings = new MutationObserver(() => {
    for (const block of document.querySelectorAll('h1, h1 *')) block.setAttribute('elementtiming', 'hero');
    if (observed.heroPainted !== undefined) headings.disconnect();
  });
  headings.observe(document, { childList: true, subtree: true });

  // Internals of React, because no event tells that it has attached its handlers.
  interface Fiber {
    readonly return: Fiber | null;
    readonly stateNode: { readonly current: { readonly memoizedState: { readonly isDehydrated?: boolean } } };
  }
  const isHydrated = (element: Element) => {
    const keys = Object.keys(element);
    const fiberKey = keys.find((key) => key.startsWith('__reactFiber$'));
    if (!fiberKey || !keys.some((key) => key.startsWith('__reactProps$'))) return false;
    let fiber = (element as unknown as Record<string, Fiber>)[fiberKey];
    while (fiber?.return) fiber = fiber.return;
    return fiber?.stateNode.current.memoizedState.isDehydrated !== true;
  };

  const components = Object.entries(controls) as [keyof typeof controls, string][];
  const needed = components.filter(([name]) => name !== 'callToAction' || scrollsToCallToAction);
  let hasSeenSplash = false;
  let hasScrolled = false;
  const poll = () => {
    const now = performance.now();
    const covered = document.querySelector(splash) !== null;
    // On a busy machine, the splash of a late document may end before its first frame.
    hasSeenSplash ||= covered || document.readyState !== 'loading';
    if (hasSeenSplash && !covered) observed.splashEnd ??= now;
    for (const [name, selector] of components) {
      if (observed.usable[name] !== undefined) continue;
      const elements = [...document.querySelectorAll(selector)];
      if (elements.length > 0 && elements.every(isHydrated)) observed.usable[name] = now;
    }
    if (scrollsToCallToAction && !hasScrolled && observed.splashEnd !== undefined) {
      const target = document.querySelector(controls.callToAction);
      target?.scrollIntoView({ block: 'center', behavior: 'instant' });
      hasScrolled = target !== null;
    }
    if (observed.splashEnd !== undefined && needed.every(([name]) => observed.usable[name] !== undefined)) {
      console.debug(done);
    } else {
      requestAnimationFrame(poll);
    }
  };
  requestAnimationFrame(poll);
}
