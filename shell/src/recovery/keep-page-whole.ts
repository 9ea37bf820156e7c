import type { Candidate, RemoteLoader } from '../federation/remote-loader.ts';
import { slotsIn } from '../slot/fill-slots.ts';
import type { PartVersion } from '../slot/part-of.ts';

interface RecoverablePage {
  readonly loader: RemoteLoader;
  /** Canaries that this visitor gets. */
  readonly canaries: readonly PartVersion[];
  /** Fills the slots of the page; returns what ends them. */
  fill(loader: RemoteLoader): () => void;
  /** Is told that slots were removed, and which versions the page goes on without. */
  onDamaged(error: unknown, blamed: readonly PartVersion[]): void;
}

/**
 * Fills the page, and puts its markup back when a script has removed slots from it: then filled without this visitor's
 * canaries; with no canary to blame once more as it is; after that it stands as plain HTML.
 */
export function keepPageWhole(root: Element, { loader, canaries, fill, onDamaged }: RecoverablePage): void {
  const pristine = [...root.childNodes].map((node) => node.cloneNode(true));
  const place = root.parentElement;
  let slots = slotsIn(root);
  let end = fill(loader);
  let suspects = canaries;
  let unexplained = 0;

  const observer = new MutationObserver(() => {
    if (slots.every(({ isConnected }) => isConnected)) return;
    if (suspects.length === 0) unexplained += 1;
    onDamaged(new Error('Slots were removed from the page by a script.'), suspects);
    end();
    root.replaceChildren(...pristine.map((node) => node.cloneNode(true)));
    if (!root.isConnected) place?.prepend(root);
    slots = slotsIn(root);
    end = unexplained < 2 ? fill(withoutVersions(loader, canaries)) : () => undefined;
    suspects = [];
    observe();
  });

  // Slots stand in the root element or in one of its children.
  function observe(): void {
    observer.disconnect();
    for (const element of [place, root, ...root.children]) {
      if (element && !slots.includes(element)) observer.observe(element, { childList: true });
    }
  }
  observe();
}

/** A loader without some versions. Slots get the same candidates on every call, as they do from the loader. */
function withoutVersions(loader: RemoteLoader, excluded: readonly PartVersion[]): RemoteLoader {
  const known = new Map<string, readonly Candidate[]>();
  return {
    candidates(remote, exposed) {
      const key = `${remote}/${exposed}`;
      const left =
        known.get(key) ??
        loader
          .candidates(remote, exposed)
          .filter(
            ({ version }) => !excluded.some((each) => each.remote === remote && each.version === version),
          );
      known.set(key, left);
      return left;
    },
  };
}
