/**
 * Retries scripts and stylesheets that fail while the browser is offline, once it is online again. Also retries
 * a script once whose preload may have failed, because Chromium then fails the script without another request.
 * The loaders do not see the failure, because webpack, the federation runtime and `React.lazy` would each cache
 * it.
 *
 * @param trusted returns a URL that a script element accepts, or throws
 */
export function retryFailedLoads(trusted: (url: string) => string): void {
  // A capturing listener on the window runs before the loader's own listener.
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (!isLoad(target)) return;
      const wasPreloaded = removePreloadOf(target);
      if (navigator.onLine && !wasPreloaded) return;
      event.stopImmediatePropagation();
      if (navigator.onLine) retry(target, trusted);
      else addEventListener('online', () => retry(target, trusted), { once: true });
    },
    { capture: true },
  );
}

type Load = HTMLScriptElement | HTMLLinkElement;

function isLoad(target: EventTarget | null): target is Load {
  return (
    target instanceof HTMLScriptElement ||
    (target instanceof HTMLLinkElement && target.relList.contains('stylesheet'))
  );
}

/** Removes the preload link of a script. Returns whether there was one. */
function removePreloadOf(load: Load): boolean {
  if (!(load instanceof HTMLScriptElement)) return false;
  const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"]');
  const preload = [...preloads].find(({ href }) => href === load.src);
  preload?.remove();
  return preload !== undefined;
}

/**
 * Loads the file with a copy of the element, because a script element runs only once. Forwards `load` and
 * `error` to the original, which the loader listens to.
 */
function retry(original: Load, trusted: (url: string) => string): void {
  const copy = document.createElement(original.localName) as Load;
  for (const { name, value } of original.attributes) {
    if (name !== 'src') copy.setAttribute(name, value);
  }
  for (const outcome of ['load', 'error']) {
    copy.addEventListener(outcome, () => original.dispatchEvent(new Event(outcome)));
  }
  try {
    if (copy instanceof HTMLScriptElement) copy.src = trusted((original as HTMLScriptElement).src);
    original.replaceWith(copy);
  } catch {
    // The URL is not in the release document, so the load fails as it would have failed online.
    original.dispatchEvent(new Event('error'));
  }
}
