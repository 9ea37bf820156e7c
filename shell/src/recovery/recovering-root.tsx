import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Candidate, RemoteLoader } from '../federation/remote-loader.ts';
import { partOf, stackOf, type PartVersion } from '../slot/part-of.ts';

interface RecoverablePage {
  readonly loader: RemoteLoader;
  /** Canaries that this visitor gets. */
  readonly canaries: readonly PartVersion[];
  render(loader: RemoteLoader): ReactNode;
  /** Is told what emptied the page, and which versions it is rendered without from now on. */
  onEmptied(error: unknown, blamed: readonly PartVersion[]): void;
}

/**
 * Renders the page, and renders it again at once when an error that no boundary catches has emptied it: without the
 * version in whose code it was thrown, else without this visitor's canaries. With no version to blame, the page is
 * rendered once more as it is, then with fallbacks alone.
 */
export function renderRecoveringRoot(
  element: Element,
  { loader, canaries, render, onEmptied }: RecoverablePage,
): void {
  const excluded: PartVersion[] = [];
  let unexplained = 0;
  let isRecovering = false;
  let root = start(loader);

  function start(from: RemoteLoader) {
    const started = createRoot(element, {
      // The slot or region has already reported the error.
      onCaughtError: () => undefined,
      onUncaughtError: (error, { componentStack }) => recoverSoon(error, componentStack),
    });
    started.render(render(from));
    return started;
  }

  // React still works on the tree when it reports an error.
  function recoverSoon(error: unknown, componentStack = ''): void {
    if (isRecovering) return;
    isRecovering = true;
    queueMicrotask(() => recover(error, partOf(stackOf(error)) ?? partOf(componentStack)));
  }

  function recover(error: unknown, thrower: PartVersion | undefined): void {
    const suspects = thrower ? [thrower] : canaries;
    const blamed = suspects.filter((suspect) => !includes(excluded, suspect));
    excluded.push(...blamed);
    if (blamed.length === 0) unexplained += 1;
    try {
      onEmptied(error, blamed);
      root.unmount();
    } catch {
      // A part has changed elements that React wanted to remove: they go with all others.
    }
    element.replaceChildren();
    isRecovering = false;
    if (unexplained > 2) element.append(lastWords());
    else flushSync(() => (root = start(unexplained < 2 ? withoutVersions(loader, excluded) : withoutParts)));
  }

  new MutationObserver(() => {
    if (!element.hasChildNodes()) recoverSoon(new Error('The page was emptied by a script.'));
  }).observe(element, { childList: true });
}

const none: readonly Candidate[] = [];
const withoutParts: RemoteLoader = { candidates: () => none };

/** A loader without some versions. Slots get the same candidates on every call, as they do from the loader. */
function withoutVersions(loader: RemoteLoader, excluded: readonly PartVersion[]): RemoteLoader {
  const known = new Map<string, readonly Candidate[]>();
  return {
    candidates(remote, exposed) {
      const key = `${remote}/${exposed}`;
      const left =
        known.get(key) ??
        loader.candidates(remote, exposed).filter(({ version }) => !includes(excluded, { remote, version }));
      known.set(key, left);
      return left;
    },
  };
}

function includes(versions: readonly PartVersion[], { remote, version }: PartVersion): boolean {
  return versions.some((each) => each.remote === remote && each.version === version);
}

function lastWords(): HTMLElement {
  const text = document.createElement('p');
  text.role = 'alert';
  text.textContent = 'This page cannot be shown. Reload it to try again.';
  return text;
}
