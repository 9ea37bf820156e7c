// blind spot: no step damages the page, but the tests of this file do.
import { slotAttributes } from '@countersign/contracts/page-markup';
import type { RemoteLoader } from '../federation/remote-loader.ts';
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
 * Fills the slots, and restores the page's markup whenever a script has removed slots from the DOM. This visitor's canaries are
 * the first suspects: the slots are filled again without them. If slots are removed while no canary runs, they are filled again
 * once; the second time, the page stays plain HTML.
 */
export function recoverFromDomDamage(
  root: Element,
  { loader, canaries, fill, onDamage }: RecoverablePage,
): void {
  const originalNodes = [...root.childNodes].map((node) => node.cloneNode(true));
  const parent = root.parentElement;
  const html = root.ownerDocument.documentElement;
  // An inline script has set it if the shell's script did not arrive in time.
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
    root.replaceChildren(...originalNodes.map((node) => node.cloneNode(true)));
    if (!root.isConnected) parent?.prepend(root);
    slots = slotsIn(root);
    // The copy may be of a moment at which only some slots were usable after the splash.
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

  /** Observes the parents of all slots, which are the root element and its children, and the parent of the root element. */
  function observe(): void {
    observer.disconnect();
    for (const element of [parent, root, ...root.children]) {
      if (element && !slots.includes(element)) observer.observe(element, { childList: true });
    }
  }
  observe();
}

/** A loader that does not offer some versions. */
function withoutVersions(loader: RemoteLoader, excluded: readonly PartVersion[]): RemoteLoader {
  return {
    attempts: (remote, exposed) =>
      loader
        .attempts(remote, exposed)
        .filter(
          ({ version }) => !excluded.some((each) => each.remote === remote && each.version === version),
        ),
  };
}
