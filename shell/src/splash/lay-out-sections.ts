// blind spot: equivalent, because the end of the splash does it, but the tests of this file see when.
import { slotAttributes } from '@countersign/contracts/page-markup';
import { lazyLayoutAttribute } from '../page/element-ids.ts';

/** The longest wait for an idle browser, in milliseconds. */
const longestIdleWait = 200;

/** Interval between checks whether parts hydrate, in milliseconds. */
const pollInterval = 50;

/** Lays out the sections below the first screen, once the parts that load early are hydrated. The end of the splash does it at the latest. */
export function layOutSections(): void {
  const layOut = () => {
    const root = document.documentElement;
    if (root.hasAttribute(lazyLayoutAttribute) && isHydrating()) setTimeout(layOut, pollInterval);
    else root.removeAttribute(lazyLayoutAttribute);
  };
  // WebKit has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(layOut, { timeout: longestIdleWait });
  else setTimeout(layOut);
}

/** Whether a slot loads or hydrates. Slots that wait for the visitor do not. */
function isHydrating(): boolean {
  const { state, version } = slotAttributes;
  return document.querySelector(`[${state}="loading"], [${state}="running"]:not([${version}])`) !== null;
}
