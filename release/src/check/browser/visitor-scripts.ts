// The functions of this file run in each document of a visitor, before its scripts, so they share nothing but globals.

declare global {
  /** Names an element and the part that it belongs to: `mf-pricing: button "Buy"`. */
  var describeElement: (element: Element) => string;
  /** The elements that got the focus, in order. */
  var focused: string[];
  /** Names of the browser's functions that the page has replaced. */
  var replacedFunctions: (() => readonly string[]) | undefined;
  /** Durations of the tasks in which a visitor can do nothing, in seconds. */
  var longTasks: readonly number[] | undefined;
}

/** Of all visitors: defines `describeElement`, and notes what gets the focus. */
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

/** Remembers the functions of the browser, to tell later which were replaced. */
export function rememberFunctions(): void {
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
      ([key, { value, get }]): [string, unknown] => [key, typeof value === 'function' ? value : get],
    );
  const known = [...owners].map(([name, owner]) => ({ name, owner, before: new Map(functionsOf(owner)) }));
  const originals = new Set<unknown>(
    known.flatMap(({ before }) => [...before.values()]).filter((value) => value !== undefined),
  );
  globalThis.replacedFunctions = () =>
    known.flatMap(({ name, owner, before }) => {
      // A function that is new on an instance hides the one of its prototype, unless it is one of the browser, such as those that axe sets.
      const isHiding = (key: string, now: unknown) =>
        !before.has(key) && key in (Object.getPrototypeOf(owner) ?? {}) && !originals.has(now);
      const isOther = (key: string, now: unknown) => before.has(key) && before.get(key) !== now;
      const replaced = functionsOf(owner).filter(([key, now]) => isOther(key, now) || isHiding(key, now));
      // Chromium replaces those of touches in each document, at any time, where it pretends that there is a touch screen.
      const byPage = replaced.filter(([key]) => !key.startsWith('ontouch'));
      return byPage.map(([key]) => `${name}.${key}`);
    });
}

/** Notes how long the long tasks of the page take. */
export function noteLongTasks(): void {
  const tasks: number[] = (globalThis.longTasks = []);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(Math.floor(duration / 1000));
  }).observe({ type: 'longtask' });
}

/** Stores a theme as if the visitor had chosen one before, which nothing may change or remove. */
export function storeTheme(themeKey: string): void {
  localStorage.setItem(themeKey, localStorage.getItem(themeKey) ?? 'system');
}

/** Takes away features that Safari lacks, or that visitors can forbid. */
export function removeFeatures(): void {
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

/** Puts every text of the page into an element of its own, as translators do, before its scripts run. */
export function translateDocument(): void {
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
