import {
  assessCanary,
  noCounts,
  type Assessment,
  type AssessmentOptions,
  type Counts,
} from '../canary/assess-canary.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Measure of a view → share of the views with such an event. */
export type Rates = Readonly<Omit<Counts, 'views'>>;

/**
 * Assesses a stage until it is decided, or for a number of times. Each assessment has 20 more views of the canary, and those of the stable
 * version by its share, which have events at random.
 */
export function assessStage(
  options: AssessmentOptions,
  rates: { readonly canary: Rates; readonly stable: Rates },
  random: () => number,
  most = Infinity,
): Assessment['assessment'] {
  let [canary, stable] = [noCounts, noCounts];
  for (let times = 0; times < most; times += 1) {
    canary = addViews(canary, 20, rates.canary, random);
    stable = addViews(stable, (20 * (100 - options.percent)) / options.percent, rates.stable, random);
    const { assessment } = assessCanary({ canary, stable }, options);
    if (assessment !== 'waiting') return assessment;
  }
  return 'waiting';
}

/** Counts with further views. */
function addViews(counts: Counts, views: number, rates: Rates, random: () => number): Counts {
  return {
    views: counts.views + views,
    failed: counts.failed + eventsIn(views, rates.failed, random),
    slow: counts.slow + eventsIn(views, rates.slow, random),
    leads: counts.leads + eventsIn(views, rates.leads, random),
  };
}

/** Number of views among `views` with an event of this rate (binomial). */
function eventsIn(views: number, rate: number, random: () => number): number {
  if (rate === 0) return 0;
  const untilNext = () => Math.ceil(Math.log(random()) / Math.log(1 - rate));
  let events = 0;
  for (let view = untilNext(); view <= views; view += untilNext()) events += 1;
  return events;
}
