import type { BrowserContextOptions } from 'playwright-core';

/** Who opens a page. What differs between visitors must not break it. */
interface Visitor {
  /** For messages: `a visitor with …`. */
  readonly description: string;
  readonly settings: BrowserContextOptions & { readonly viewport: { width: number; height: number } };
  /** Run in each document, before its scripts. */
  readonly before?: readonly ((themeKey: string) => void)[];
  /** Does not wait for the code of the parts. */
  readonly isEarly?: true;
  /** Compares the page with the live one, before journeys are followed. `thoroughly`: also scrolls, runs axe and takes pictures. */
  readonly looks?: 'shortly' | 'thoroughly';
}

const reduced: BrowserContextOptions = { reducedMotion: 'reduce' };
const wide = { width: 1280, height: 800 } as const;

export type VisitorName = 'wide' | 'narrow' | 'tablet' | 'plain' | 'early' | 'translated';

/** Those who look at the page and follow journeys. A journey may say by `at` or `page` who follows it. */
export const visitors: Readonly<Record<VisitorName, Visitor>> = {
  wide: {
    description: 'a window of 1280 px',
    settings: { ...reduced, viewport: wide, locale: 'en-US', timezoneId: 'America/Los_Angeles' },
    before: [rememberFunctions, noteLongTasks, storeTheme],
    looks: 'thoroughly',
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
    looks: 'thoroughly',
  },
  tablet: {
    description: 'a window of 768 px, a browser of few features, and the time of Berlin',
    settings: { ...reduced, viewport: { width: 768, height: 1024 }, timezoneId: 'Europe/Berlin' },
    before: [removeFeatures],
    looks: 'shortly',
  },
  plain: {
    description: 'no scripts',
    settings: { viewport: wide, javaScriptEnabled: false },
    looks: 'shortly',
  },
  early: { description: 'no patience', settings: { ...reduced, viewport: wide }, isEarly: true },
  translated: {
    description: 'a translated page, and a window of 1920 px',
    settings: { ...reduced, viewport: { width: 1920, height: 1080 } },
    before: [translateDocument],
  },
};

/** Runs in the page: remembers the functions of the browser, to tell later which were replaced. */
function rememberFunctions(): void {
  // Does not call getters, because some have effects.
  const functionAt = (owner: object, key: string): unknown => {
    const found = Object.getOwnPropertyDescriptor(owner, key);
    return typeof found?.value === 'function' ? found.value : found?.get;
  };
  const owners: [string, object][] = Object.entries({ window, console, JSON, Math });
  for (const name of Object.getOwnPropertyNames(window)) {
    const { prototype } = Object(functionAt(window, name)) as { readonly prototype?: object };
    if (prototype) owners.push([name, prototype]);
  }
  const known = owners.flatMap(([name, owner]) =>
    Object.getOwnPropertyNames(owner).map((key) => ({ name, owner, key, before: functionAt(owner, key) })),
  );
  // What is assigned to an instance hides the function of its prototype.
  const instances = Object.entries({ window, document, history, navigator, performance });
  const hidden = () =>
    instances.flatMap(([name, owner]) =>
      Object.getOwnPropertyNames(owner)
        .filter((key) => key in (Object.getPrototypeOf(owner) as object))
        .map((key) => `${name}.${key}`),
    );
  const replacedFunctions = () => [
    ...known
      .filter(({ owner, key, before }) => before !== undefined && functionAt(owner, key) !== before)
      .map(({ name, key }) => `${name}.${key}`),
    ...hidden(),
  ];
  Object.defineProperty(globalThis, 'replacedFunctions', { value: replacedFunctions });
}

/** Runs in the page: notes the tasks that take too long, in which a visitor can do nothing. In seconds. */
function noteLongTasks(): void {
  const longTasks: number[] = [];
  Object.defineProperty(globalThis, 'longTasks', { value: longTasks });
  new PerformanceObserver((list) => {
    const seconds = list.getEntries().map(({ duration }) => Math.floor(duration / 1000));
    longTasks.push(...seconds.filter((each) => each >= 3));
  }).observe({ type: 'longtask' });
}

/** Runs in the page: stores a theme as if the visitor had chosen one before, which nothing may change or remove. */
function storeTheme(themeKey: string): void {
  localStorage.setItem(themeKey, localStorage.getItem(themeKey) ?? 'system');
}

/** Runs in the page: takes away what Safari lacks, and what visitors can forbid. */
function removeFeatures(): void {
  Reflect.deleteProperty(globalThis, 'requestIdleCallback');
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
