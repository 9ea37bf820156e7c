import type { Asset } from '@countersign/contracts/release-document';
import { styleAttributes } from '@countersign/contracts/slot-markup';

/**
 * Has the stylesheets of a component on the page before it is rendered. Those of the markup stand in the page already.
 */
export async function loadStyles(styles: readonly Asset[]): Promise<void> {
  await Promise.all(styles.map(loadStyle));
}

const loading = new Map<string, Promise<void>>();

function loadStyle({ url, integrity }: Asset): Promise<void> {
  if (isInPage(url)) return Promise.resolve();
  const known = loading.get(url);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    // Absolute, as webpack's loader writes it: it does not load the file again.
    link.href = new URL(url, location.origin).href;
    link.crossOrigin = 'anonymous';
    link.integrity = integrity;
    link.addEventListener('load', () => resolve(), { once: true });
    link.addEventListener(
      'error',
      () => {
        loading.delete(url);
        link.remove();
        reject(new Error(`The stylesheet ${url} could not be loaded.`));
      },
      { once: true },
    );
    document.head.append(link);
  });
  loading.set(url, loaded);
  return loaded;
}

function isInPage(url: string): boolean {
  return [...document.querySelectorAll('style')].some(
    (style) => style.getAttribute(styleAttributes.url) === url,
  );
}
