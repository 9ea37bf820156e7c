import type { ShellApi, SlotModule } from '@countersign/contracts/shell-api';
import type * as React from 'react';

/** A part whose components are rendered in a page. */
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
type PageModule = readonly [
  run: (module: { exports: unknown }, exports: unknown, require: (name: string) => unknown) => void,
  links: Readonly<Record<string, number>>,
];

/** `window.trustedTypes`. */
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}
/** `@module-federation/runtime-core`. */
interface FederationCore {
  ModuleFederation: new (options: object) => { loadRemote(id: string): Promise<SlotModule | null> };
}
/** `react-dom/static`. */
interface Renderer {
  prerender(element: unknown, options: object): Promise<{ prelude: ReadableStream }>;
}

/**
 * Renders the exposed components of a part to markup, as a build does, and writes each as text into the slot of its key.
 * Logs errors, each after its key. Its source text runs in a page, so it refers to nothing outside of itself.
 * Builds take the hashes of their chunks and the core of the federation runtime from the page, as two globals.
 *
 * @param roots name → index of a module
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

  const createHost = () => {
    const { trustedTypes } = window as unknown as { trustedTypes: Policies };
    const policy = trustedTypes.createPolicy('entries', { createScriptURL: (url) => url });
    const integrityOf = (url: string) => integrity[new URL(url, location.href).href] ?? '';
    const core = load('@module-federation/runtime-core') as FederationCore;
    Object.assign(window, { _FILE_INTEGRITY: integrityOf, _FEDERATION_RUNTIME_CORE: core });
    const shareConfig = { singleton: true, requiredVersion: `^${reactVersion}` };
    const shared = ['react', 'react-dom', 'react/jsx-runtime'].map((name) => {
      const library = load(name);
      return [name, { version: reactVersion, scope: 'default', lib: () => library, shareConfig }] as const;
    });
    return new core.ModuleFederation({
      name: 'shell',
      shareStrategy: 'loaded-first',
      remotes: [{ name: globalName, entry, entryGlobalName: globalName, type: 'global' }],
      shared: Object.fromEntries(shared),
      plugins: [
        {
          name: 'integrity',
          createScript({ url }: { url: string }) {
            const script = document.createElement('script');
            script.src = policy.createScriptURL(url);
            script.crossOrigin = 'anonymous';
            script.integrity = integrityOf(url);
            return script;
          },
        },
      ],
    });
  };
  const { createElement } = load('react') as typeof React;
  const { prerender } = load('react-dom/static') as Renderer;
  const render = async (key: string, component: SlotModule['default']) => {
    const errors: unknown[] = [];
    const { prelude } = await prerender(createElement(component, { shell }), {
      identifierPrefix: prefixes[key],
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error: unknown) => void errors.push(error),
    });
    if (errors.length > 0) throw errors[0];
    return new Response(prelude).text();
  };

  const fail = (key: string, error: unknown) => console.error(`${key} ${String(error)}`);
  try {
    const host = createHost();
    for (const slot of document.querySelectorAll<HTMLElement>('[data-exposed]')) {
      const key = slot.dataset['exposed'] ?? '';
      try {
        const module = await host.loadRemote(key.replace('.', globalName));
        if (typeof module?.default !== 'function') throw new Error('exposes no component as its default');
        slot.textContent = await render(key, module.default);
      } catch (error) {
        fail(key, error);
      }
      slot.dataset['version'] = version; // Also after an error, because the visit waits for it.
    }
  } catch (error) {
    fail('The container', error);
  }
}
