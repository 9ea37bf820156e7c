// blind spot: the page of the check has all styles, but an end-to-end test of a faulty part loads those of another version.
import type { Asset } from '@countersign/contracts/release-document';
import { styleAttributes } from '@countersign/contracts/page-markup';

/**
 * Loads the stylesheets of a component before it renders. Stylesheets of prerendered markup are inlined in the
 * page already.
 */
export async function loadStyles(styles: readonly Asset[]): Promise<void> {
  await Promise.all(styles.map(loadStyle));
}

/** URL → the load of a stylesheet that was requested, also if it has ended. */
const requested = new Map<string, Promise<void>>();

function loadStyle({ url, integrity }: Asset): Promise<void> {
  if (isInPage(url)) return Promise.resolve();
  const known = requested.get(url);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    // Absolute, because webpack's loader compares absolute URLs and would load the file again.
    link.href = new URL(url, location.origin).href;
    link.crossOrigin = 'anonymous';
    link.integrity = integrity;
    link.addEventListener('load', () => resolve(), { once: true });
    link.addEventListener(
      'error',
      () => {
        requested.delete(url);
        link.remove();
        reject(new Error(`The stylesheet ${url} could not be loaded.`));
      },
      { once: true },
    );
    document.head.append(link);
  });
  requested.set(url, loaded);
  return loaded;
}

function isInPage(url: string): boolean {
  return document.querySelector(`style[${styleAttributes.url}="${url}"]`) !== null;
}
