// blind spot: no step makes a file fail to load, but the tests of this file do.
import { bundledEntriesAttribute } from '@countersign/contracts/page-markup';

/**
 * Calls back when a request that failed is worth another attempt: after a second, or, if the browser says that it is offline, once it
 * is online. It retries after five seconds even then, because some browsers say so permanently: behind a VPN, or inside an app. The source
 * text is also inlined in the HTML, so the function must not use anything outside its body.
 */
export function retryLater(retry: () => void): void {
  const start = () => {
    clearTimeout(timer);
    removeEventListener('online', start);
    retry();
  };
  const timer = setTimeout(start, navigator.onLine ? 1000 : 5000);
  addEventListener('online', start);
}

/**
 * If a script or stylesheet fails, requests it once more. Failures while the browser says that it is offline do not count. The
 * loaders see only the last failure, because webpack, the federation runtime and `React.lazy` cache failures.
 *
 * @param trustedUrl returns a URL that a script element accepts, or throws
 */
export function retryFailedLoads(trustedUrl: (url: string) => string): void {
  /** Elements whose next failure reaches the loader, unless the browser is offline. */
  const lastTries = new WeakSet<FileElement>();
  // A capturing listener on the window runs before the loader's own listener.
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (!loadsFile(target)) return;
      // Chromium would fail the script again, without another request, if its preload has failed.
      removePreloadOf(target);
      const isOnline = navigator.onLine;
      if (isOnline && lastTries.has(target)) return;
      event.stopImmediatePropagation();
      // `requestAgain` dispatches the last failure on this element. The loader must see that one.
      lastTries.add(target);
      retryLater(() => {
        const copy = requestAgain(target, trustedUrl);
        if (isOnline) lastTries.add(copy);
      });
    },
    { capture: true },
  );
}

/** An element that loads a file. */
type FileElement = HTMLScriptElement | HTMLLinkElement;

function loadsFile(target: EventTarget | null): target is FileElement {
  return (
    // The bundle is not requested again, because without it entries load on their own at once.
    (target instanceof HTMLScriptElement && !target.hasAttribute(bundledEntriesAttribute)) ||
    (target instanceof HTMLLinkElement && target.relList.contains('stylesheet'))
  );
}

function removePreloadOf(element: FileElement): void {
  if (!(element instanceof HTMLScriptElement)) return;
  const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"]');
  for (const preload of preloads) if (preload.href === element.src) preload.remove();
}

/**
 * Loads the file with a copy of the element, because a script element runs only once. Forwards `load` and
 * `error` to the original, which the loader listens to.
 */
function requestAgain(original: FileElement, trustedUrl: (url: string) => string): FileElement {
  const copy = document.createElement(original.localName) as FileElement;
  for (const { name, value } of original.attributes) {
    if (name !== 'src') copy.setAttribute(name, value);
  }
  for (const outcome of ['load', 'error']) {
    copy.addEventListener(outcome, () => {
      // Loaders would wait for a failed element of the same URL instead of requesting the file.
      if (outcome === 'error') copy.remove();
      original.dispatchEvent(new Event(outcome));
    });
  }
  try {
    if (copy instanceof HTMLScriptElement) copy.src = trustedUrl((original as HTMLScriptElement).src);
    original.replaceWith(copy);
  } catch {
    // The URL is not in the release document, so the load fails again.
    original.dispatchEvent(new Event('error'));
  }
  return copy;
}
