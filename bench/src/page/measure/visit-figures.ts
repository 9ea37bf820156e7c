import type { Observed } from './observe-page.ts';
import type { Visit } from './visit.ts';

/** Duration of the splash by design, in milliseconds since the navigation. */
const splashDuration = 2000;
/** Tolerance for a timer and a frame on a throttled CPU, in milliseconds. Within it, a time counts as not late. */
const tolerance = 50;

/**
 * Figures of a visitor who reads. Times in milliseconds since the navigation; those with `Late` after the end of the splash by
 * design. Sizes in kB as transferred (compressed, with headers).
 */
export function readFigures(visit: Visit) {
  const { observed } = visit;
  const splashEnd = required(observed.splashEnd, 'end of the splash');
  return {
    ...wholeVisit(visit),
    kilobytesBySplash: kilobytes(visit, splashEnd),
    firstPaint: required(observed.firstPaint, 'first paint'),
    largestPaint: required(observed.largestPaint, 'largest paint'),
    shift: layoutShift(observed.shifts),
    /** When the hero is painted and the splash has ended. */
    firstScreenLate: lateness(Math.max(required(observed.heroPainted, 'paint of the hero'), splashEnd)),
    /** When header and pricing can be used. */
    headerAndPricingLate: lateness(headerAndPricingAt(observed)),
    /** When header and pricing are hydrated, also if the splash still covers the page. */
    hydrated: hydratedAt(observed),
  };
}

/** Figures of a visitor who uses the page, with the same units. */
export function actFigures(visit: Visit) {
  const { observed } = visit;
  const callToAction = required(observed.usable.callToAction, 'call to action');
  const all = Math.max(headerAndPricingAt(observed), callToAction);
  return {
    ...wholeVisit(visit),
    /** When header, pricing and call to action can be used. */
    allLate: lateness(all),
    /** Total blocking time from the first paint until then. */
    blocked: blockingTime(observed.longTasks, required(observed.firstPaint, 'first paint'), all),
    /** Longest event of the first click. */
    firstInteraction: Math.max(0, ...observed.interactions),
  };
}

/** What a whole visit loads. */
function wholeVisit(visit: Visit) {
  const requests = visit.requests.filter(({ fromCache }) => !fromCache).length;
  return { kilobytes: kilobytes(visit, Number.POSITIVE_INFINITY), requests };
}

/** The page is not usable while the splash covers it. */
function headerAndPricingAt(observed: Observed): number {
  return Math.max(required(observed.splashEnd, 'end of the splash'), hydratedAt(observed));
}

function hydratedAt({ usable }: Observed): number {
  return Math.max(required(usable.header, 'header'), required(usable.pricing, 'pricing'));
}

/** Delay after the end of the splash by design. */
export function lateness(time: number): number {
  return time <= splashDuration + tolerance ? 0 : time - splashDuration;
}

/** Total blocking time: the time beyond 50 ms of all long tasks that start in an interval. */
export function blockingTime(tasks: Observed['longTasks'], from: number, until: number): number {
  return tasks
    .filter(({ at }) => at >= from && at < until)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
}

/** Cumulative layout shift: the largest session window of shifts less than 1 s apart, within 5 s. */
export function layoutShift(shifts: Observed['shifts']): number {
  let worst = 0;
  let session = { begun: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY, sum: 0 };
  for (const { at, value } of shifts.toSorted((a, b) => a.at - b.at)) {
    const continues = at - session.last < 1000 && at - session.begun < 5000;
    session = { begun: continues ? session.begun : at, last: at, sum: (continues ? session.sum : 0) + value };
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

function required(value: number | undefined, what: string): number {
  if (value === undefined) throw new Error(`The browser reported no time for: ${what}.`);
  return value;
}
