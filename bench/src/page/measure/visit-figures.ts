import type { Observed } from './observe-page.ts';
import { chainDepth } from './request-chain.ts';
import type { Visit } from './visit.ts';

/** How long the splash covers the page by design, in milliseconds since the navigation. */
export const splashDuration = 2000;
/** A timer and a frame on a slowed processor: what ends so soon after the splash was ready in time, in milliseconds. */
const tolerance = 50;

/** Times in milliseconds since the navigation, sizes in kB as sent (compressed, with headers). */
export interface ReadFigures {
  readonly kilobytesBySplash: number;
  readonly requestsBySplash: number;
  readonly kilobytesInAll: number;
  readonly requestsInAll: number;
  readonly chain: number;
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly shift: number;
  readonly firstScreen: number;
  readonly firstScreenLate: number;
  readonly headerAndPricing: number;
  readonly headerAndPricingLate: number;
}

export interface ActFigures {
  readonly kilobytesByAll: number;
  readonly requestsByAll: number;
  readonly kilobytes: number;
  readonly requests: number;
  readonly headerAndPricing: number;
  readonly all: number;
  readonly allLate: number;
  readonly blocked: number;
  readonly firstInteraction: number;
}

/** What a visit costs that waits at the top, and then scrolls through the page. */
export function readFigures(visit: Visit): ReadFigures {
  const { observed, requests } = visit;
  const splashEnd = known(observed.splashEnd, 'end of the splash');
  const firstScreen = Math.max(known(observed.heroPainted, 'paint of the hero'), splashEnd);
  const headerAndPricing = headerAndPricingAt(observed);
  return {
    ...prefixed(visit, splashEnd),
    kilobytesInAll: kilobytes(visit, Number.POSITIVE_INFINITY),
    requestsInAll: count(visit, Number.POSITIVE_INFINITY),
    chain: chainDepth(requests, visit.start + headerAndPricing / 1000),
    firstPaint: known(observed.firstPaint, 'first paint'),
    largestPaint: known(observed.largestPaint, 'largest paint'),
    shift: layoutShift(observed.shifts),
    firstScreen,
    firstScreenLate: lateness(firstScreen),
    headerAndPricing,
    headerAndPricingLate: lateness(headerAndPricing),
  };
}

function prefixed(visit: Visit, splashEnd: number) {
  return { kilobytesBySplash: kilobytes(visit, splashEnd), requestsBySplash: count(visit, splashEnd) };
}

/** What a visit costs that goes to the call to action as soon as the splash is over, and then presses a button. */
export function actFigures(visit: Visit): ActFigures {
  const { observed } = visit;
  const headerAndPricing = headerAndPricingAt(observed);
  const all = Math.max(headerAndPricing, known(observed.usable.callToAction, 'call to action'));
  return {
    kilobytesByAll: kilobytes(visit, all),
    requestsByAll: count(visit, all),
    kilobytes: kilobytes(visit, Number.POSITIVE_INFINITY),
    requests: count(visit, Number.POSITIVE_INFINITY),
    headerAndPricing,
    all,
    allLate: lateness(all),
    blocked: blockingTime(observed.longTasks, known(observed.firstPaint, 'first paint'), all),
    firstInteraction: Math.max(0, ...observed.interactions),
  };
}

/** Nothing can be used while the splash covers it. */
function headerAndPricingAt({ splashEnd, usable }: Observed): number {
  return Math.max(
    known(splashEnd, 'end of the splash'),
    known(usable.header, 'header'),
    known(usable.pricing, 'pricing'),
  );
}

/** How long after the splash should have ended. */
export function lateness(time: number): number {
  return time <= splashDuration + tolerance ? 0 : time - splashDuration;
}

/** How long tasks held up the page beyond the 50 ms that each may take, among those that begin between two times. */
export function blockingTime(tasks: Observed['longTasks'], from: number, until: number): number {
  return tasks
    .filter(({ at }) => at >= from && at < until)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
}

/** Cumulative layout shift: the worst session of shifts, each within a second of the one before, in 5 seconds. */
export function layoutShift(shifts: Observed['shifts']): number {
  let worst = 0;
  let session = { begun: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY, sum: 0 };
  for (const { at, value } of shifts.toSorted((a, b) => a.at - b.at)) {
    const goesOn = at - session.last < 1000 && at - session.begun < 5000;
    session = { begun: goesOn ? session.begun : at, last: at, sum: (goesOn ? session.sum : 0) + value };
    worst = Math.max(worst, session.sum);
  }
  return worst;
}

function kilobytes({ requests, start }: Visit, until: number): number {
  const bytes = requests
    .filter(({ fromCache }) => !fromCache)
    .flatMap(({ received }) => received)
    .filter(({ at }) => (at - start) * 1000 <= until)
    .reduce((sum, { bytes }) => sum + bytes, 0);
  return bytes / 1000;
}

function count({ requests, start }: Visit, until: number): number {
  return requests.filter(({ fromCache, begun }) => !fromCache && (begun - start) * 1000 <= until).length;
}

function known(value: number | undefined, what: string): number {
  if (value === undefined) throw new Error(`The browser did not tell the time of: ${what}.`);
  return value;
}
