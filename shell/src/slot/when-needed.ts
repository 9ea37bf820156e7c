import type { HydrationTiming } from '@countersign/contracts/hydration-timing';
import { earlyPressesIn } from './early-presses.ts';

/** Events by which a visitor begins to use a slot. Moving the pointer over it is none: the pointer crosses much of a page. */
const intents = ['pointerdown', 'touchstart', 'focusin', 'keydown', 'click'] as const;

/** How far from the window a slot counts as near. */
const nearness = '600px 0px';

/** Resolves when a slot needs its code. A visitor who uses it, or has used it already, does not wait for the timing. */
export function whenNeeded(timing: HydrationTiming, slot: Element): Promise<void> {
  if (timing === 'load' || isUsed(slot)) return Promise.resolve();
  return new Promise((resolve) => {
    for (const intent of intents) {
      slot.addEventListener(intent, () => resolve(), { capture: true, once: true, passive: true });
    }
    if (timing === 'idle') afterOtherWork(resolve);
    if (timing === 'visible') whenNear(slot, resolve);
  });
}

function isUsed(slot: Element): boolean {
  return slot.contains(document.activeElement) || earlyPressesIn(slot).length > 0;
}

function afterOtherWork(then: () => void): void {
  // WebKit has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(then);
  else setTimeout(then, 200);
}

/** The slot itself has no box. */
function whenNear(slot: Element, then: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      then();
    },
    { rootMargin: nearness },
  );
  for (const child of slot.children) observer.observe(child);
}
