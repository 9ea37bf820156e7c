import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessCanary, errorRate, type Counts } from './assess-canary.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const none: Counts = { views: 0, failed: 0, slow: 0, leads: 0 };
const options = { percent: 10, minimumViews: 100, level: errorRate };

// `fine failed`: the canary is fine, and `failed` is the measure to report, because it is worse in none.
for (const [what, canary, stable, expected] of [
  ['always fails', { views: 6, failed: 6 }, { views: 54 }, 'worse failed'],
  ['fails one time in ten', { views: 100, failed: 10 }, { views: 900, failed: 2 }, 'worse failed'],
  ['is slow one time in ten', { views: 100, slow: 10 }, { views: 900, slow: 2 }, 'worse slow'],
  ['sends no leads', { views: 900 }, { views: 8_100, leads: 90 }, 'worse leads'],
  ['is seen too rarely', { views: 99 }, { views: 900 }, 'waiting failed'],
  ['never fails', { views: 100 }, { views: 900 }, 'fine failed'],
  ['fails as often', { views: 100, failed: 3 }, { views: 900, failed: 27 }, 'fine failed'],
  ['always fails, as stable does', { views: 100, failed: 100 }, { views: 900, failed: 900 }, 'fine failed'],
  ['has a single failure', { views: 100, failed: 1 }, { views: 900 }, 'fine failed'],
  ['is better', { views: 100, leads: 20 }, { views: 900, failed: 90, slow: 90, leads: 20 }, 'fine failed'],
] as const) {
  test(`assessment: a canary that ${what}: ${expected}`, () => {
    const comparison = { canary: { ...none, ...canary }, stable: { ...none, ...stable } };
    const { assessment, because } = assessCanary(comparison, options);
    assert.equal(`${assessment} ${because}`, expected);
  });
}

/** Number of views among `views` with an event of this rate (binomial). */
function eventsIn(views: number, rate: number, random: () => number): number {
  const untilNext = () => Math.ceil(Math.log(random()) / Math.log(1 - rate));
  let events = 0;
  for (let view = untilNext(); view <= views; view += untilNext()) events += 1;
  return events;
}

/** Whether a stage ends with a rollback. Each of 60 looks finds 20 more views of the canary; both versions are the same. */
function rollsBack(percent: number, rate: number, level: number, random: () => number): boolean {
  const grow = (counts: Counts, views: number): Counts => ({
    views: counts.views + views,
    failed: counts.failed + eventsIn(views, rate, random),
    slow: counts.slow + eventsIn(views, rate, random),
    leads: counts.leads + eventsIn(views, rate, random),
  });
  let [canary, stable] = [none, none];
  for (let look = 0; look < 60; look += 1) {
    canary = grow(canary, 20);
    stable = grow(stable, (20 * (100 - percent)) / percent);
    const { assessment } = assessCanary({ canary, stable }, { percent, minimumViews: Infinity, level });
    if (assessment === 'worse') return true;
  }
  return false;
}

for (const rate of [0.0002, 0.001, 0.005, 0.02, 0.1]) {
  test(`watch: rolls back at most 1 % of sound canaries with events in ${100 * rate} % of views`, (context) => {
    const random = createRandom(7);
    const stages = [5, 25, 60, 90];
    const watches = 1000;
    let rolledBack = 0;
    for (let watch = 0; watch < watches; watch += 1) {
      if (stages.some((percent) => rollsBack(percent, rate, errorRate / stages.length, random)))
        rolledBack += 1;
    }
    context.diagnostic(`${rolledBack} of ${watches}`);
    assert.ok(rolledBack <= errorRate * watches);
  });
}

test('assessment: a form that sends nothing is found after fifteen leads of the stable version', () => {
  const assess = (leads: number) =>
    assessCanary({ canary: none, stable: { ...none, leads } }, { ...options, percent: 50 }).assessment;
  assert.deepEqual([assess(7), assess(15)], ['waiting', 'worse']);
});
