// blind spot: what is inlined in the HTML is not tried. End-to-end tests press buttons before their code is there.
import { slotAttributes } from '@countersign/contracts/page-markup';
import { rootElementId } from '../page/element-ids.ts';
import { findMatchingElement } from './matching-element.ts';

/** A click on a button in a slot that was not hydrated. */
interface QueuedClick {
  readonly slot: Element;
  /** It is no longer in the slot if a version has rendered in place of the markup. */
  readonly button: Element;
  readonly event: Event;
}

/** Global variable with the click queue, oldest first. */
const clickQueueGlobal = '_CLICK_QUEUE';

/**
 * Queues clicks on buttons in slots that are not hydrated. Links, fields and submit buttons need no code, so
 * their clicks are not queued. The source text is inlined in the HTML, so the function must not use anything
 * outside its body.
 */
function queueClicks(rootId: string, globalName: string, unhydratedSlot: string): void {
  const clicks: QueuedClick[] = [];
  Object.assign(globalThis, { [globalName]: clicks });
  document.getElementById(rootId)?.addEventListener(
    'click',
    (event) => {
      const { target } = event;
      const button = target instanceof Element ? target.closest('button') : null;
      const slot = button?.closest(unhydratedSlot);
      const isSubmit = button?.type === 'submit' && button.form;
      if (button && slot && !isSubmit) clicks.push({ slot, button, event });
    },
    { capture: true },
  );
}

/** Inline script that queues clicks before the shell is loaded. */
export const queueClicksScript = `(${queueClicks})("${rootElementId}","${clickQueueGlobal}","[${slotAttributes.remote}]:not([${slotAttributes.version}])")`;

/** Queued clicks in a slot, oldest first. */
export function queuedClicksIn(element: Element): readonly QueuedClick[] {
  return clickQueue().filter(({ slot }) => slot === element);
}

/** Empties the queue of a slot, and clicks the last button again, or its matching element in the new rendering. */
export function replayQueuedClick(slot: Element): void {
  const clicks = queuedClicksIn(slot);
  forgetClicks(clicks);
  const last = clicks.at(-1);
  // Skipped while the event is still dispatched, because React hydrates synchronously on a click and then
  // handles the event itself.
  if (!last || last.event.eventPhase !== Event.NONE) return;
  const button = slot.contains(last.button) ? last.button : findMatchingElement(last.button, slot);
  if (button instanceof HTMLElement) button.click();
}

/** Removes clicks from the queue. */
export function forgetClicks(clicks: readonly QueuedClick[]): void {
  const all = clickQueue();
  for (const click of clicks) all.splice(all.indexOf(click), 1);
}

function clickQueue(): QueuedClick[] {
  const queue: unknown = Reflect.get(globalThis, clickQueueGlobal);
  return Array.isArray(queue) ? (queue as QueuedClick[]) : [];
}
