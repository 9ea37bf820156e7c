import { availableParallelism } from 'node:os';
import type { BrowserContextOptions } from 'playwright-core';
import { mapInTurns } from '../../platform/map-in-turns.ts';

declare global {
  // Set by the functions below that run in the page.
  /** Names an element and the part that it belongs to: `mf-pricing: button "Buy"`. */
  var describeElement: (element: Element) => string;
  /** The elements that got the focus, in order. */
  var focused: string[];
  /** Names of the browser's functions that the page has replaced. */
  var replacedFunctions: (() => readonly string[]) | undefined;
  /** Durations of the tasks in which a visitor can do nothing, in seconds. */
  var longTasks: readonly number[] | undefined;
}

/** A kind of visitor. A page must work for all kinds. */
interface Visitor {
  /** For messages: `a visitor with …`. */
  readonly description: string;
  readonly settings: BrowserContextOptions & { readonly viewport: { width: number; height: number } };
  /** Run in each document, before its scripts. */
  readonly before?: readonly ((themeKey: string) => void)[];
  /** Does not wait for the code of the parts. */
  readonly isEarly?: true;
  /** Stays for a while, whose end comes early. Not where frames are measured. */
  readonly stays?: true;
  /** Compares the page with the live one, before journeys are followed. `thoroughly`: also scrolls, runs axe and takes pictures. */
  readonly inspects?: 'shortly' | 'thoroughly';
}

const reduced: BrowserContextOptions = { reducedMotion: 'reduce' };
const wide = { width: 1280, height: 800 } as const;

export type VisitorName = 'wide' | 'low' | 'narrow' | 'tablet' | 'plain' | 'early' | 'translated';

/** The visitors that inspect the page and follow journeys. A journey may choose one by `at` or `page`. */
export const visitors: Readonly<Record<VisitorName, Visitor>> = {
  wide: {
    description: 'a window of 1280 px',
    settings: { ...reduced, viewport: wide, locale: 'en-US', timezoneId: 'America/Los_Angeles' },
    before: [rememberFunctions, noteLongTasks, storeTheme],
    inspects: 'thoroughly',
  },
  // Follows the journeys of wide windows while `wide` inspects the page, because each of both takes as long as all others.
  low: {
    description: 'a window of 1024 × 480 px',
    settings: { ...reduced, viewport: { width: 1024, height: 480 } },
    before: [rememberFunctions],
  },
  narrow: {
    description: 'a window of 390 px, the dark theme, German, and the time of Kiritimati',
    settings: {
      ...reduced,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: 'dark',
      locale: 'de-DE',
      timezoneId: 'Pacific/Kiritimati',
    },
    before: [rememberFunctions, noteLongTasks, storeTheme],
    inspects: 'thoroughly',
  },
  tablet: {
    description: 'a window of 768 px, a browser of few features, and the time of Berlin',
    settings: { ...reduced, viewport: { width: 768, height: 1024 }, timezoneId: 'Europe/Berlin' },
    before: [removeFeatures],
    stays: true,
    inspects: 'shortly',
  },
  plain: {
    description: 'no scripts',
    settings: { viewport: wide, javaScriptEnabled: false },
    inspects: 'shortly',
  },
  early: { description: 'no patience', settings: { ...reduced, viewport: wide }, isEarly: true },
  translated: {
    description: 'a translated page, and a window of 1920 px',
    settings: { ...reduced, viewport: { width: 1920, height: 1080 } },
    before: [translateDocument],
  },
};

/** For messages. */
export const forVisitor = (name: VisitorName) => `for a visitor with ${visitors[name].description}`;

/** Lets visitors do something, one more at a time than there are cores. With more, each would be so slow that its limits are over. */
export function inTurns<Result>(
  names: Iterable<VisitorName>,
  visit: (name: VisitorName) => Promise<Result>,
): Promise<Result[]> {
  return mapInTurns(names, visit, availableParallelism() + 1);
}

/** Runs in the page of each visitor: defines `describeElement`, and notes what gets the focus. */
export function describeElements(): void {
  globalThis.describeElement = (element) => {
    const part = element.closest<HTMLElement>('[data-remote]')?.dataset['remote'] ?? 'shell';
    const text = element.querySelector('style') ? '' : element.textContent;
    const label = element.getAttribute('aria-label') ?? text;
    const name = label.trim() || element.getAttribute('name') || element.id;
    return `${part}: ${element.localName} "${name.replaceAll(/\s+/g, ' ').slice(0, 40)}"`;
  };
  globalThis.focused = [];
  const note = ({ target }: Event) => target instanceof Element && focused.push(describeElement(target));
  addEventListener('focusin', note, true);
}

/** Runs in the page: remembers the functions of the browser, to tell later which were replaced. */
function rememberFunctions(): void {
  const owners = new Map<string, object>(
    Object.entries({ window, document, history, navigator, performance, console, JSON, Math }),
  );
  for (const name of Object.getOwnPropertyNames(window)) {
    // Does not call getters, because some have effects.
    const { value } = (Object.getOwnPropertyDescriptor(window, name) ?? {}) as { readonly value?: unknown };
    if (typeof value !== 'function') continue;
    owners.set(name, value);
    if (value.prototype) owners.set(`${name}.prototype`, value.prototype as object);
  }
  const functionsOf = (owner: object) =>
    Object.entries(Object.getOwnPropertyDescriptors(owner)).map(
      ([key, { value, get }]) => [key, typeof value === 'function' ? value : get] as const,
    );
  const known = [...owners].map(([name, owner]) => ({ name, owner, before: new Map(functionsOf(owner)) }));
  globalThis.replacedFunctions = () =>
    known.flatMap(({ name, owner, before }) =>
      functionsOf(owner)
        // A function that is new on an instance hides the one of its prototype.
        .filter(([key, now]) =>
          before.has(key) ? before.get(key) !== now : key in (Object.getPrototypeOf(owner) ?? {}),
        )
        .map(([key]) => `${name}.${key}`),
    );
}

/** Runs in the page: notes how long its long tasks take. */
function noteLongTasks(): void {
  const tasks: number[] = (globalThis.longTasks = []);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(Math.floor(duration / 1000));
  }).observe({ type: 'longtask' });
}

/** Runs in the page: stores a theme as if the visitor had chosen one before, which nothing may change or remove. */
function storeTheme(themeKey: string): void {
  localStorage.setItem(themeKey, localStorage.getItem(themeKey) ?? 'system');
}

/** Runs in the page: takes away features that Safari lacks, or that visitors can forbid. */
function removeFeatures(): void {
  for (const name of ['requestIdleCallback', 'scheduler', 'showOpenFilePicker'])
    Reflect.deleteProperty(globalThis, name);
  for (const name of ['connection', 'deviceMemory', 'getBattery', 'userAgentData'])
    Reflect.deleteProperty(Navigator.prototype, name);
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, {
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  }
}

/** Runs in the page: puts every text into an element of its own, as translators do, before its scripts run. */
function translateDocument(): void {
  document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive') return;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const skipped = text.parentElement?.closest('script, style, template, noscript, svg');
      if (skipped || text.data.trim() === '') continue;
      const font = document.createElement('font');
      text.replaceWith(font);
      font.append(text);
    }
  });
}
