import type { HydrationTiming } from '@countersign/contracts/hydration-timing';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { TraceStep } from './load-trace.ts';

/** A block of the page: one slot, with what happened in it so far. */
export interface PageBlock {
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
  const all = [...root.querySelectorAll(`[${slotAttributes.remote}]`)].flatMap((element) => {
    const remote = remoteNames.find((name) => name === element.getAttribute(slotAttributes.remote));
    const exposed = element.getAttribute(slotAttributes.exposed);
    if (!remote || exposed === null) return [];
    const steps: TraceStep[] = [];
    const prerendered = element.getAttribute(slotAttributes.prerendered) ?? undefined;
    const hydration = release.remotes[remote]?.live.hydration?.[exposed] ?? 'load';
    return [{ element, remote, exposed, prerendered, hydration, steps }];
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
