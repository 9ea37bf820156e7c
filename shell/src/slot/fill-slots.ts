import { remoteNames } from '@countersign/contracts/remotes';
import { slotAttributes } from '@countersign/contracts/page-markup';
import { fillSlot } from './fill-slot.ts';
import type { SlotServices } from './slot.ts';

/** The elements of all slots below an element, in order. */
export function slotsIn(root: Element): readonly Element[] {
  return [...root.querySelectorAll(`[${slotAttributes.remote}]`)];
}

/**
 * Fills every slot below an element.
 *
 * @returns disposes of all slots
 */
export function fillSlots(root: Element, services: SlotServices): () => void {
  const disposers = slotsIn(root).map((element) => {
    const remote = remoteNames.find((name) => name === element.getAttribute(slotAttributes.remote));
    const exposed = element.getAttribute(slotAttributes.exposed);
    return remote && exposed !== null ? fillSlot({ element, remote, exposed }, services) : () => undefined; // blind spot (→ true): each slot has both.
  });
  // blind spot: no step damages the page, but the tests of recover-from-dom-damage do.
  return () => {
    for (const dispose of disposers) dispose();
  };
}
