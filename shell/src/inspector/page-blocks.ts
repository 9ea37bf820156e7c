import type { HydrationTiming } from '@countersign/contracts/hydration-timing';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { BlockEvent, TraceStep } from './load-trace.ts';
import type { VersionChoice } from './page-versions.ts';

/** A block of the page: one slot, with what happened in it so far. */
export interface PageBlock {
  /** The slot. If a script removes it, the shell restores it as another element. */
  readonly element: Element;
  readonly remote: RemoteName;
  readonly exposed: string;
  /** Version of the prerendered markup. */
  readonly prerendered: string | undefined;
  readonly hydration: HydrationTiming;
  readonly steps: readonly TraceStep[];
}

/** All blocks of the page, from top to bottom. */
export interface PageBlocks {
  readonly all: readonly PageBlock[];
  /** Blocks of a remote; with `exposed`, those of this key. */
  of(remote: string, exposed?: string): readonly PageBlock[];
  add(block: PageBlock, event: BlockEvent, at?: number): void;
  /** Tells listeners that the slot of a block has changed. */
  announceChange(): void;
  /** Number of changes so far: the snapshot for `useSyncExternalStore`, because blocks change in place. */
  countChanges(): number;
  /** The listener is called after each change. Returns the function that ends this. */
  subscribe(listener: () => void): () => void;
}

/** What the overlay shows. */
export interface InspectedPage {
  readonly blocks: PageBlocks;
  readonly release: ReleaseDocument;
  readonly choice: VersionChoice;
  /** Versions in the URL that the release does not contain. */
  readonly ignored: readonly string[];
  /** Whether the site has a key for signed links. */
  readonly acceptsLinks: boolean;
  readonly owners: SiteConfig['owners'];
  /** The variant of a remote in this view, as text. */
  groupOf(remote: RemoteName): string;
}

/** Finds the blocks below an element. */
export function createPageBlocks(root: ParentNode, release: ReleaseDocument): PageBlocks {
  const listeners = new Set<() => void>();
  let changes = 0;
  const announceChange = () => {
    changes += 1;
    for (const listener of listeners) listener();
  };
  const all = [...root.querySelectorAll(`[${slotAttributes.remote}]`)].flatMap((first) => {
    const remote = remoteNames.find((name) => name === first.getAttribute(slotAttributes.remote));
    const exposed = first.getAttribute(slotAttributes.exposed);
    if (!remote || exposed === null) return [];
    const selector = `[${slotAttributes.remote}="${remote}"][${slotAttributes.exposed}="${exposed}"]`;
    let slot = first;
    return [
      {
        get element() {
          if (!slot.isConnected) slot = root.querySelector(selector) ?? slot;
          return slot;
        },
        remote,
        exposed,
        prerendered: first.getAttribute(slotAttributes.prerendered) ?? undefined,
        hydration: release.remotes[remote]?.live.hydration?.[exposed] ?? 'load',
        steps: [] as TraceStep[],
      },
    ];
  });
  return {
    all,
    of: (remote, exposed) =>
      all.filter((block) => block.remote === remote && (exposed === undefined || block.exposed === exposed)),
    add(block, event, at = performance.now()) {
      all.find((known) => known === block)?.steps.push({ ...event, at });
      announceChange();
    },
    announceChange,
    countChanges: () => changes,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
