import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { LoadAttempt, RemoteLoader } from '../federation/remote-loader.ts';
import { slotsIn } from '../slot/fill-slots.ts';
import type { PartVersion } from '../slot/part-in-stack.ts';

interface RecoverablePage {
  readonly loader: RemoteLoader;
  /** Canary versions that this visitor gets. */
  readonly canaries: readonly PartVersion[];
  /** Fills the slots of the page. Returns a function that disposes of them. */
  fill(loader: RemoteLoader): () => void;
  /** Called when slots were removed, with the versions that the page stops using. */
  onDamage(error: unknown, blamed: readonly PartVersion[]): void;
}

/**
 * Fills the slots, also of a page that was plain while its scripts were late, and restores the page's markup if a script removes slots from the DOM. The first time it
 * refills them without this visitor's canaries, or, without a canary to suspect, with the same versions. If
 * slots are removed again, the page stays plain HTML.
 */
export function recoverFromDomDamage(
  root: Element,
  { loader, canaries, fill, onDamage }: RecoverablePage,
): void {
  const pristine = [...root.childNodes].map((node) => node.cloneNode(true));
  const parent = root.parentElement;
  const html = root.ownerDocument.documentElement;
  html.removeAttribute(slotAttributes.plain);
  let slots = slotsIn(root);
  let disposeSlots = fill(loader);
  let suspects = canaries;
  let damageWithoutSuspects = 0;

  const observer = new MutationObserver(() => {
    if (slots.every(({ isConnected }) => isConnected)) return;
    if (suspects.length === 0) damageWithoutSuspects += 1;
    onDamage(new Error('Slots were removed from the page by a script.'), suspects);
    disposeSlots();
    root.replaceChildren(...pristine.map((node) => node.cloneNode(true)));
    if (!root.isConnected) parent?.prepend(root);
    slots = slotsIn(root);
    // The copy may be of the moment at which the splash ended, in steps.
    for (const slot of slots) slot.removeAttribute('inert');
    if (damageWithoutSuspects < 2) {
      disposeSlots = fill(withoutVersions(loader, canaries));
    } else {
      disposeSlots = () => undefined;
      html.setAttribute(slotAttributes.plain, '');
    }
    suspects = [];
    observe();
  });

  // Slots are children of the root element or of one of its children.
  function observe(): void {
    observer.disconnect();
    for (const element of [parent, root, ...root.children]) {
      if (element && !slots.includes(element)) observer.observe(element, { childList: true });
    }
  }
  observe();
}

/** Filters versions out of a loader. Results are cached, because slots expect the same attempts on every call. */
function withoutVersions(loader: RemoteLoader, excluded: readonly PartVersion[]): RemoteLoader {
  const cache = new Map<string, readonly LoadAttempt[]>();
  return {
    attempts(remote, exposed) {
      const key = `${remote}/${exposed}`;
      const remaining =
        cache.get(key) ??
        loader
          .attempts(remote, exposed)
          .filter(
            ({ version }) => !excluded.some((each) => each.remote === remote && each.version === version),
          );
      cache.set(key, remaining);
      return remaining;
    },
  };
}
