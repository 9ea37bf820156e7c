import type { HydrationTiming } from '@countersign/contracts/hydration-timing';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { TraceStep } from './load-trace.ts';

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

/** A step before its time is known. */
export type NewStep = TraceStep extends infer Step
  ? Step extends TraceStep
    ? Omit<Step, 'at'>
    : never
  : never;

/** All blocks of the page, from top to bottom. */
export interface PageBlocks {
  readonly all: readonly PageBlock[];
  /** Blocks of a remote; with `exposed`, those of this key. */
  of(remote: string, exposed?: string): readonly PageBlock[];
  add(block: PageBlock, step: NewStep, at?: number): void;
  subscribe(listener: (block: PageBlock) => void): void;
}

/** Finds the blocks below an element. */
export function createPageBlocks(root: ParentNode, release: ReleaseDocument): PageBlocks {
  const listeners: ((block: PageBlock) => void)[] = [];
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
    add(block, step, at = performance.now()) {
      all.find((known) => known === block)?.steps.push({ ...step, at });
      for (const listener of listeners) listener(block);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
