/** What the stubs tell of the page's scripts. */
export interface StubOptions {
  readonly policyNames: readonly string[];
  refuse(reason: 'policy-name' | 'plain-text', what: string): void;
}

/**
 * Adds what every browser has and this DOM has not. Nothing in it ever happens, because nobody looks at the page. Runs inside
 * of the page, so that the page gets no function of this process, and therefore refers to nothing outside of itself.
 */
export function addBrowserStubs(window: Window & typeof globalThis, options: StubOptions): void {
  const { policyNames, refuse } = options;
  const never = class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
    takeRecords = () => [];
  };
  Object.assign(window, {
    matchMedia: (media: string) =>
      Object.assign(new window.EventTarget(), {
        media,
        matches: false,
        addListener: () => undefined,
        removeListener: () => undefined,
      }),
    IntersectionObserver: never,
    ResizeObserver: never,
    PerformanceObserver: never,
    scrollTo: () => undefined,
    fetch: () => new Promise(() => undefined),
  });
  Object.assign(window.performance, { getEntriesByType: () => [] });

  // Trusted Types: a policy for each name that the page allows, once, and no address or markup without one.
  const trusted = new WeakSet<object>();
  const unused = new Set(policyNames);
  const trust = (rule: ((...input: unknown[]) => unknown) | undefined) =>
    function (...input: unknown[]) {
      if (!rule) throw new TypeError('The Trusted Types policy has no rule for this.');
      const text = String(rule(...input));
      const value = { toString: () => text, toJSON: () => text };
      trusted.add(value);
      return value;
    };
  type Rules = Partial<Record<'createHTML' | 'createScript' | 'createScriptURL', (text: unknown) => unknown>>;
  Object.assign(window, {
    trustedTypes: {
      isHTML: (value: object) => trusted.has(value),
      isScriptURL: (value: object) => trusted.has(value),
      createPolicy(name: string, rules: Rules = {}) {
        if (!unused.delete(name)) {
          refuse('policy-name', name);
          throw new TypeError(`The page allows no Trusted Types policy "${name}", or it is in use.`);
        }
        return {
          name,
          createHTML: trust(rules.createHTML),
          createScript: trust(rules.createScript),
          createScriptURL: trust(rules.createScriptURL),
        };
      },
    },
  });
  const guard = (prototype: object, property: string) => {
    const found = Object.getOwnPropertyDescriptor(prototype, property);
    if (!found?.set) return;
    const { set } = found;
    Object.defineProperty(prototype, property, {
      ...found,
      set(value: unknown) {
        if (typeof value !== 'object' || value === null || !trusted.has(value)) {
          refuse('plain-text', `${property} ${String(value).slice(0, 100)}`);
          throw new TypeError(`This page takes ${property} from a Trusted Types policy alone.`);
        }
        set.call(this, String(value));
      },
    });
  };
  guard(window.HTMLScriptElement.prototype, 'src');
  guard(window.Element.prototype, 'innerHTML');
  guard(window.Element.prototype, 'outerHTML');
}
