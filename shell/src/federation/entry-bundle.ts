// blind spot (link, return undefined, return {, 5000, bundled): equivalent but for requests, and the tests of this file count them.
import { bundledEntriesAttribute, entryBundleName } from '@countersign/contracts/page-markup';
import type { Asset } from '@countersign/contracts/release-document';

/** The script with the entries of the parts that load early. */
interface EntryBundle extends Asset {
  /** The entries in it, in their order, each with the number of its first line. */
  readonly entries: readonly { readonly line: number; readonly url: string }[];
}

/** The bundle that the page's preload link names, if it has one. */
export function readEntryBundle(): EntryBundle | undefined {
  const link = document.querySelector<HTMLLinkElement>(`link[${bundledEntriesAttribute}]`);
  if (!link) return undefined;
  // `1 /mf-header/1.2.0/entry.js 20 /mf-pricing/1.1.0/entry.js`
  const linesAndUrls = link.getAttribute(bundledEntriesAttribute) ?? '';
  const entries = [...linesAndUrls.matchAll(/(\d+) (\S+)/g)].map(([, line = '', url = '']) => ({
    line: Number(line),
    url,
  }));
  return { url: link.href, integrity: link.integrity, entries };
}

/**
 * URL of the entry that contains a place in the bundle.
 *
 * @param place line of a stack trace, or `<url>:<line>`
 */
// blind spot: no step makes a part fail, but a test reads the line.
export function bundledEntryAt(place: string): string | undefined {
  const [, line] = new RegExp(`${entryBundleName.source}:(\\d+)`).exec(place) ?? [];
  if (line === undefined) return undefined;
  return readEntryBundle()?.entries.findLast((entry) => entry.line <= Number(line))?.url;
}

/** How long parts wait for the bundle before they load their own entries, in milliseconds. */
const longestWait = 5000;

/** Loads the bundle once for all parts. */
export interface EntryBundleLoader {
  /** Whether a file is in the bundle. */
  includes(file: Asset): boolean;
  /**
   * Resolves when the bundle has defined the entry, or when the entry must be loaded on its own, because it is not in the bundle
   * or the bundle does not load.
   */
  load(entry: Asset): Promise<void>;
}

/** @param createScript a script element for an absolute URL, with its integrity */
export function entryBundleLoader(
  bundle: EntryBundle | undefined,
  createScript: (url: string) => HTMLScriptElement,
): EntryBundleLoader {
  const bundled = new Set(bundle?.entries.map(({ url }) => url));
  const includes = ({ url }: Asset) => bundled.has(url);
  let loaded: Promise<void> | undefined;
  // blind spot ('error', 'load', resolve, 5000): the bundle of the check loads, but tests lose it.
  const start = ({ url }: EntryBundle) =>
    new Promise<void>((resolve) => {
      const script = createScript(url);
      script.setAttribute(bundledEntriesAttribute, '');
      for (const outcome of ['load', 'error']) script.addEventListener(outcome, () => resolve());
      setTimeout(resolve, longestWait);
      document.head.append(script);
    });
  return {
    includes,
    load: async (entry) => {
      // blind spot (→ true, → false, without): equivalent but for requests.
      if (bundle && includes(entry)) await (loaded ??= start(bundle));
    },
  };
}
