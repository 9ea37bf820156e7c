/**
 * Repeats the scripts and stylesheets that fail while the browser is offline, as soon as it is online again, and once those
 * whose preload may have failed: Chromium fails the script that comes after it without another request. Their loaders do not
 * learn of the failure: webpack, the federation runtime and `React.lazy` would remember it, and each in a way of its own.
 *
 * @param trusted makes an address that a script may have, or throws
 */
export function repeatOfflineLoads(trusted: (url: string) => string): void {
  // A capturing listener of the window runs before the loader's own.
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (!isLoad(target)) return;
      const wasPreloaded = removePreloadOf(target);
      if (navigator.onLine && !wasPreloaded) return;
      event.stopImmediatePropagation();
      if (navigator.onLine) repeat(target, trusted);
      else addEventListener('online', () => repeat(target, trusted), { once: true });
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

/** Whether there was a preload of the file, which no longer counts. */
function removePreloadOf(load: Load): boolean {
  if (!(load instanceof HTMLScriptElement)) return false;
  const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"]');
  const preload = [...preloads].find(({ href }) => href === load.src);
  preload?.remove();
  return preload !== undefined;
}

/** A script element runs once, so a copy loads the file. The loader listens to the original. */
function repeat(original: Load, trusted: (url: string) => string): void {
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
    // The address is not in the release document: the load fails as it would have done online.
    original.dispatchEvent(new Event('error'));
  }
}
