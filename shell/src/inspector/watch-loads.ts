import { partEventName, type PartEvent } from '@countersign/contracts/part-event';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { PageBlock, PageBlocks } from './page-blocks.ts';

/**
 * Records how the blocks load, by the attributes of their slots and the events of the shell, whose own script therefore
 * contains no code for it. Call it before the shell's script runs.
 *
 * @param versionsToTry versions that the slots of a remote try, best first
 */
export function watchLoads(
  blocks: PageBlocks,
  versionsToTry: (remote: PageBlock['remote']) => readonly string[],
): void {
  watchAttributes(blocks);
  addEventListener(partEventName, (event) => {
    const { detail } = event as CustomEvent<PartEvent>;
    for (const block of blocks.of(detail.remote, detail.exposed)) {
      record(blocks, block, detail, versionsToTry(block.remote));
    }
  });
}

function watchAttributes(blocks: PageBlocks): void {
  const observer = new MutationObserver((records) => {
    for (const block of blocks.all) {
      const changed = records.filter(({ target }) => target === block.element);
      const version = block.element.getAttribute(slotAttributes.version);
      if (version !== null && changed.some(({ attributeName }) => attributeName === slotAttributes.version)) {
        const isInPlace = version === block.prerendered && !block.steps.some(({ kind }) => kind === 'failed');
        blocks.add(block, { kind: isInPlace ? 'hydrated' : 'rendered', version });
      } else if (changed.length > 0) blocks.announceChange();
    }
  });
  const attributeFilter = [slotAttributes.state, slotAttributes.version];
  observer.observe(document, { attributeFilter, subtree: true });
}

function record(blocks: PageBlocks, block: PageBlock, event: PartEvent, order: readonly string[]): void {
  const { version, exposed } = event;
  switch (event.outcome) {
    case 'loaded':
      blocks.add(block, { kind: 'loaded', version, milliseconds: event.milliseconds });
      return;
    case 'late':
      blocks.add(block, { kind: 'late', version });
      return;
    case 'failed': {
      const { cause, error } = event;
      // An error outside of rendering concerns the blocks that run this version.
      if (exposed === undefined && !block.steps.some((step) => step.version === version)) return;
      const message = error instanceof Error ? error.message : String(error);
      blocks.add(block, { kind: 'failed', version, cause, message });
      // A version of a signed override is not in the list: the first one follows it.
      const to = order[order.indexOf(version) + 1];
      if (cause === 'load' || cause === 'render') blocks.add(block, { kind: 'fell-back', version, to });
    }
  }
}
