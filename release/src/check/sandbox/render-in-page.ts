import type { ShellApi, SlotModule } from '@countersign/contracts/shell-api';
import type * as React from 'react';

/** A part whose components are rendered in a page of the sandbox. */
export interface FragmentPage {
  readonly version: string;
  readonly globalName: string;
  /** URL of the script with the container. */
  readonly entry: string;
  /** Version of React that is provided. */
  readonly reactVersion: string;
  /** Exposed key → React's `identifierPrefix`. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** URL → subresource integrity of every script and stylesheet. */
  readonly integrity: Readonly<Record<string, string>>;
}

/** A CommonJS module as a function, with the indexes of the modules that it requires. */
export type PageModule = readonly [
  run: (module: { exports: unknown }, exports: unknown, require: (name: string) => unknown) => void,
  links: Readonly<Record<string, number>>,
];

/**
 * Renders the exposed components of a part to markup, as a build does, and writes each as text into the element of its key.
 * Errors go to the console. Its text runs in a page of the sandbox, so it refers to nothing outside of itself.
 */
export async function renderInPage(
  page: FragmentPage,
  modules: readonly PageModule[],
  roots: Readonly<Record<string, number>>,
  shell: ShellApi,
): Promise<void> {
  const { version, globalName, entry, reactVersion, prefixes, integrity } = page;
  const loaded = new Map<number, { exports: unknown }>();
  const loadModule = (index: number): unknown => {
    const known = loaded.get(index);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(index, module);
    const [run, links] = modules[index] ?? [];
    run?.(module, module.exports, (name) => loadModule(links?.[name] ?? -1));
    return module.exports;
  };
  const load = (name: string) => loadModule(roots[name] ?? -1);

  // Web APIs of React's server renderer that jsdom lacks: the parts that it uses.
  interface Sink {
    enqueue(bytes: Uint8Array): void;
    close(): void;
    error(error: unknown): void;
    readonly desiredSize: number;
    readonly byobRequest: null;
  }
  Object.assign(window, {
    TextEncoder: class {
      encode = (text: string) =>
        Uint8Array.from(unescape(encodeURIComponent(text)), (character) => character.charCodeAt(0));
    },
    MessageChannel: class {
      port1: { onmessage?: () => void } = {};
      port2 = { postMessage: () => void setTimeout(() => this.port1.onmessage?.()) };
    },
    ReadableStream: class {
      readonly source: { pull(sink: Sink): void };
      constructor(source: { pull(sink: Sink): void }) {
        this.source = source;
      }
    },
  });
  const textOf = ({ source }: { source: { pull(sink: Sink): void } }) =>
    new Promise<string>((resolveText, reject) => {
      let bytes = '';
      source.pull({
        enqueue: (chunk) => chunk.forEach((byte) => (bytes += String.fromCharCode(byte))),
        close: () => resolveText(decodeURIComponent(escape(bytes))),
        error: reject,
        desiredSize: Number.POSITIVE_INFINITY,
        byobRequest: null,
      });
    });

  // Settings of two visitors. A component that reads them while it renders gives two results.
  const visitors = [
    { matches: false, stored: null, width: 1280, language: 'en-US', days: 0 },
    { matches: true, stored: '1', width: 390, language: 'de-DE', days: 400 },
  ] as const;
  const { Date: PageDate } = window;
  const become = ({ matches, stored, width, language, days }: (typeof visitors)[number]) => {
    const now = () => PageDate.now() + days * 24 * 60 * 60_000;
    window.Date = new Proxy(PageDate, {
      construct: (target, words: unknown[], made) =>
        Reflect.construct(target, words.length > 0 ? words : [now()], made) as Date,
      apply: () => new PageDate(now()).toString(),
      get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
    });
    const { matchMedia } = window;
    window.matchMedia = (media) => Object.assign(matchMedia(media), { matches });
    Storage.prototype.getItem = () => stored;
    for (const [owner, values] of [
      [window, { innerWidth: width, innerHeight: width, devicePixelRatio: 1 + days }],
      [screen, { width, height: width, availWidth: width, availHeight: width }],
      [navigator, { language, languages: [language], userAgent: `visitor ${language}` }],
    ] as const) {
      for (const [property, value] of Object.entries(values)) {
        Object.defineProperty(owner, property, { value, configurable: true });
      }
    }
  };

  const fail = (key: string, error: unknown) => console.error(`${key} ${String(error)}`);
  try {
    interface Policies {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string };
    }
    const { trustedTypes } = window as unknown as { trustedTypes: Policies };
    const policy = trustedTypes.createPolicy('entries', { createScriptURL: (url) => url });
    const integrityOf = (url: string) => integrity[new URL(url, location.href).href] ?? '';
    Object.assign(window, { _FILE_INTEGRITY: integrityOf });

    interface Host {
      loadRemote(id: string): Promise<SlotModule | null>;
    }
    const core = load('@module-federation/runtime-core') as {
      ModuleFederation: new (options: object) => Host;
    };
    Object.assign(window, { _FEDERATION_RUNTIME_CORE: core });
    const shared = Object.fromEntries(
      ['react', 'react-dom', 'react/jsx-runtime'].map((name) => {
        const library = load(name);
        const shareConfig = { singleton: true, requiredVersion: `^${reactVersion}` };
        return [name, { version: reactVersion, scope: 'default', lib: () => library, shareConfig }];
      }),
    );
    const host = new core.ModuleFederation({
      name: 'shell',
      shareStrategy: 'loaded-first',
      remotes: [{ name: globalName, entry, entryGlobalName: globalName, type: 'global' }],
      shared,
      plugins: [
        {
          name: 'integrity',
          createScript({ url }: { url: string }) {
            const script = document.createElement('script');
            script.src = policy.createScriptURL(url);
            script.crossOrigin = 'anonymous';
            script.setAttribute('integrity', integrityOf(url));
            return script;
          },
        },
      ],
    });

    const { createElement } = load('react') as typeof React;
    interface Renderer {
      prerender(
        element: unknown,
        options: object,
      ): Promise<{ prelude: { source: { pull(sink: Sink): void } } }>;
    }
    const { prerender } = load('react-dom/static') as Renderer;
    for (const slot of document.querySelectorAll<HTMLElement>('[data-exposed]')) {
      const key = slot.dataset['exposed'] ?? '';
      try {
        const component = await host.loadRemote(key.replace('.', globalName));
        if (typeof component?.default !== 'function') throw new Error('exposes no component as its default');
        const results: string[] = [];
        for (const visitor of visitors) {
          become(visitor);
          const errors: unknown[] = [];
          const { prelude } = await prerender(createElement(component.default, { shell }), {
            identifierPrefix: prefixes[key],
            progressiveChunkSize: Number.POSITIVE_INFINITY,
            onError: (error: unknown) => void errors.push(error),
          });
          results.push(await textOf(prelude));
          if (errors.length > 0) throw errors[0];
        }
        const [markup = ''] = results;
        if (results.some((result) => result !== markup)) {
          throw new Error('depends on the visitor’s screen, language or storage, or on the time');
        }
        slot.textContent = markup;
        slot.dataset['version'] = version;
      } catch (error) {
        fail(key, error);
      }
    }
  } catch (error) {
    fail('The container', error);
  }
}
