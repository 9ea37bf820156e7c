/** Trusted Types policies that the page allows, and a callback for violations. */
export interface StubOptions {
  readonly policyNames: readonly string[];
  refuse(reason: 'policy-name' | 'plain-text', what: string): void;
}

/**
 * Adds browser APIs that jsdom lacks, as stubs that never fire. Is evaluated inside the page's context, so that the page
 * gets no function of this process. It must therefore not refer to anything outside of itself.
 */
export function addBrowserStubs(window: Window & typeof globalThis, options: StubOptions): void {
  const { policyNames, refuse } = options;
  const InertObserver = class {
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
    IntersectionObserver: InertObserver,
    ResizeObserver: InertObserver,
    PerformanceObserver: InertObserver,
    scrollTo: () => undefined,
    fetch: () => new Promise(() => undefined),
  });
  Object.assign(window.performance, { getEntriesByType: () => [] });

  // Trusted Types: each allowed policy can be created once, and sinks accept values of a policy only.
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
        // The text that the browser would use: of a trusted value, its own.
        const text = `${value as string}`;
        if (typeof value !== 'object' || value === null || !trusted.has(value)) {
          refuse('plain-text', `${property} ${text.slice(0, 100)}`);
          throw new TypeError(`This page takes ${property} from a Trusted Types policy alone.`);
        }
        set.call(this, text);
      },
    });
  };
  guard(window.HTMLScriptElement.prototype, 'src');
  guard(window.Element.prototype, 'innerHTML');
  guard(window.Element.prototype, 'outerHTML');
}
