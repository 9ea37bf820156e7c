import { JSDOM, ResourceLoader, VirtualConsole, type DOMWindow } from 'jsdom';
import type { ReleaseStore } from '../store/release-store.ts';

/** A page whose scripts run, without a browser and without a network. */
export interface OpenPage {
  readonly document: Document;
  /** What went wrong while its scripts ran, in the order in which it did. */
  readonly errors: readonly string[];
  close(): void;
}

/** Opens a composed page. Files come out of the store; everything else is not there. */
export function openPage(store: ReleaseStore, html: string, origin: string): OpenPage {
  const errors: string[] = [];
  const virtualConsole = new VirtualConsole()
    .on('jsdomError', ({ message }) => errors.push(message))
    .on('error', (...words: unknown[]) => errors.push(words.map(String).join(' ')));
  const { window } = new JSDOM(html, {
    url: `${origin}/`,
    runScripts: 'dangerously',
    pretendToBeVisual: true,
    resources: new StoreLoader(store),
    virtualConsole,
    beforeParse: addWhatBrowsersHave,
  });
  // A promise of the page that nobody waits for is one of this process.
  const noteRejection = (reason: unknown) => void errors.push(String(reason));
  process.on('unhandledRejection', noteRejection);
  return {
    document: window.document,
    errors,
    close() {
      window.close();
      process.off('unhandledRejection', noteRejection);
    },
  };
}

class StoreLoader extends ResourceLoader {
  readonly #store: ReleaseStore;

  constructor(store: ReleaseStore) {
    super();
    this.#store = store;
  }

  override fetch(address: string): ReturnType<ResourceLoader['fetch']> {
    const found = this.#store.objects.read(`parts${new URL(address).pathname}`).then((object) => {
      if (!object) throw new Error(`${address} is not in the store.`);
      return Buffer.from(object.bytes);
    });
    // Whoever asked may end what it asked for. A read is over sooner than that.
    return Object.assign(found, { abort: () => undefined });
  }
}

/** What every browser has and this DOM has not. Nothing in it ever happens: nobody looks at the page. */
function addWhatBrowsersHave(window: DOMWindow): void {
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
}
