// blind spot: no step sees when code is loaded, but the tests of this file do. The options of listeners change no time.
import type { HydrationTiming } from '@countersign/contracts/remotes';
import { queuedClicksIn } from './queued-clicks.ts';

/** Events that show that a visitor uses a slot. Pointer movement is not one of them, because the pointer crosses many slots. */
const interactionEvents = ['pointerdown', 'touchstart', 'focusin', 'keydown', 'click'] as const;

/** Timeout of the idle callback for slots with the timing `idle`, in milliseconds. */
const idleTimeout = 500;

/** Margin around the viewport within which a slot counts as visible. */
const viewportMargin = '600px 0px';

/** Resolves when a slot should load its code. An interaction with the slot, also an earlier one, triggers it at once. */
export function hydrationTrigger(timing: HydrationTiming, slot: Element): Promise<void> {
  if (timing === 'load' || hasInteraction(slot)) return Promise.resolve();
  return new Promise((resolve) => {
    for (const type of interactionEvents) {
      slot.addEventListener(type, () => resolve(), { capture: true, once: true, passive: true });
    }
    if (timing === 'idle') onIdle(resolve);
    if (timing === 'visible') onNearViewport(slot, resolve);
  });
}

function hasInteraction(slot: Element): boolean {
  return slot.contains(document.activeElement) || queuedClicksIn(slot).length > 0;
}

function onIdle(then: () => void): void {
  // WebKit does not support `requestIdleCallback`, and gets a delay in which it can become idle.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(then, { timeout: idleTimeout });
  else setTimeout(then, 200);
}

/** Observes the children, because the slot itself has `display: contents` and no box. */
function onNearViewport(slot: Element, then: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      then();
    },
    { rootMargin: viewportMargin },
  );
  for (const child of slot.children) observer.observe(child);
}
