import { slotAttributes } from '@countersign/contracts/slot-markup';
import { laidOutAttribute, lazyLayoutAttribute } from '../page/element-ids.ts';

/** Each step updates the whole page, so one slot at a time would take twice as long in all. */
const slotsPerStep = 3;

/** The longest wait for an idle browser before each step, in milliseconds. */
const longestIdleWait = 200;

/** When the steps begin even if parts are still loading, in milliseconds since navigation start. */
const latestStart = 4000;

/** Between two looks whether parts hydrate, in milliseconds. */
const pollInterval = 50;

/**
 * Ends the deferred layout (`defer-section-layout.ts`): lays out some slots after the others, when the parts that load early are
 * hydrated. All at once where the layout is not deferred, or not any more, because the page has scrolled.
 */
export function layOutInSteps(slots: readonly Element[], done: () => void): void {
  const left = [...slots];
  const step = () => {
    const isLazy = document.documentElement.hasAttribute(lazyLayoutAttribute);
    if (isLazy && isHydrating() && performance.now() < latestStart) {
      setTimeout(() => whenIdle(step), pollInterval);
      return;
    }
    for (const slot of left.splice(0, isLazy ? slotsPerStep : left.length))
      slot.setAttribute(laidOutAttribute, '');
    if (left.length > 0) whenIdle(step);
    else done();
  };
  whenIdle(step);
}

/** Whether a slot loads or hydrates. Those that wait for the visitor do not. */
function isHydrating(): boolean {
  const { state, version } = slotAttributes;
  return document.querySelector(`[${state}="loading"], [${state}="running"]:not([${version}])`) !== null;
}

/** Calls back when the browser is idle, or after a short wait. */
export function whenIdle(step: () => void): void {
  // WebKit has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(step, { timeout: longestIdleWait });
  else setTimeout(step);
}
