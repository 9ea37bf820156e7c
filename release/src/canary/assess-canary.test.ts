import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CanaryTest,
  probabilityOfMore,
  type Assessment,
  type ReportedCount,
  type ViewCount,
} from './assess-canary.ts';
import { errorRate, ReportsTest } from './assess-reports.ts';

/** A count of failures that come from as many networks, unless the test says otherwise. */
const of = (views: number, failures: number, networks = failures): ReportedCount => ({
  views,
  failures,
  networks,
});

const cases: readonly (readonly [string, ReportedCount, ReportedCount, Assessment])[] = [
  ['one that always fails, too early to say', of(49, 49), of(900, 0), 'waiting'],
  ['one that always fails', of(50, 50), of(900, 0), 'worse'],
  ['one that fails one time in ten', of(100, 10), of(900, 2), 'worse'],
  ['one that never fails', of(50, 0), of(900, 0), 'fine'],
  ['one that fails as often as the stable one', of(100, 3), of(900, 27), 'fine'],
  ['one with a single failure, by bad luck', of(100, 1), of(900, 3), 'fine'],
  ['one with the only failure of many views', of(1001, 1), of(9000, 0), 'fine'],
  ['one that is better', of(100, 0), of(900, 90), 'fine'],
  ['one with few failures, which chance seldom explains', of(100, 4), of(900, 0), 'waiting'],
  ['one that fails in a single network', of(100, 90, 1), of(900, 0), 'waiting'],
  ['one that fails, beside failures forged for the stable one', of(100, 20), of(900, 300, 1), 'waiting'],
  ['one that fails while nobody sees the stable one', of(50, 40), of(0, 0), 'worse'],
  ['one that always fails, as the stable one does', of(50, 50), of(50, 50), 'fine'],
  ['one that never fails, as the stable one always does', of(200, 0), of(3800, 3800), 'fine'],
  ['one with most of the views that fails as often', of(1800, 90), of(200, 10), 'fine'],
];

for (const [what, canary, stable, assessment] of cases) {
  test(`${what}: ${assessment}`, () =>
    assert.equal(new CanaryTest(0.01, 50).assess({ canary, stable }), assessment));
}

for (const [canary, stable, probability] of [
  // The tea taster: 17 of 70 ways to choose the cups.
  [of(4, 3), of(4, 1), 17 / 70],
  [of(211, 1), of(1890, 0), 211 / 2101],
  [of(200, 0), of(1800, 9), 1],
  [of(1_000_000, 1_000_000), of(1_000_000, 1_000_000), 1],
  // So much better that the probability of exactly these failures is below the smallest number.
  [of(200, 0), of(3800, 3800), 1],
  [of(1000, 0), of(3000, 2400), 1],
  [of(1800, 90), of(200, 10), 1],
] satisfies (readonly [ViewCount, ViewCount, number])[]) {
  test(`exact test: ${JSON.stringify([canary, stable])} has the probability ${probability}`, () => {
    assert.ok(Math.abs(probabilityOfMore(canary, stable) - probability) < 1e-9);
  });
}

test('canary test: tests again only after twice as many views', () => {
  const repeated = new CanaryTest(0.01, 50);
  const assessments = [
    [of(50, 0), of(450, 0)],
    [of(99, 40), of(900, 0)],
    [of(100, 40), of(900, 0)],
  ].map(([canary = of(0, 0), stable = of(0, 0)]) => repeated.assess({ canary, stable }));
  assert.deepEqual(assessments, ['fine', 'fine', 'worse']);
});

/** Pseudo-random numbers from 0 to 1 (MINSTD). */
function randomNumbers(): () => number {
  let seed = 7;
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

/** A random number of views that fail (binomial). */
function failuresOf(views: number, rate: number, random: () => number): number {
  const untilNext = () => Math.ceil(Math.log(random()) / Math.log(1 - rate));
  let failures = 0;
  for (let view = untilNext(); view <= views; view += untilNext()) failures += 1;
  return failures;
}

/** Whether a stage ends with a rollback. Each of 60 scrapes adds 20 views of the canary; both versions fail equally often. */
function rollsBack(percent: number, rate: number, level: number, random: () => number): boolean {
  const test = new ReportsTest({ percent, minimumViews: 200, level });
  const none = { canary: of(0, 0), stable: of(0, 0) };
  const leads = { canary: { views: 0, leads: 0 }, stable: { views: 0, leads: 0 } };
  let found = { failed: none, hung: none, late: none, rerendered: none, slow: none };
  const grow = ({ views, failures }: ReportedCount, more: number) =>
    of(views + more, failures + failuresOf(more, rate, random));
  for (let scrape = 0; scrape < 60; scrape += 1) {
    const grown = Object.entries(found).map(([measure, { canary, stable }]) => {
      // Hung views are published later, so that the other measures are assessed repeatedly until then.
      if (measure === 'hung' && scrape < 30) return [measure, { canary, stable }];
      return [measure, { canary: grow(canary, 20), stable: grow(stable, (20 * (100 - percent)) / percent) }];
    });
    found = Object.fromEntries(grown) as typeof found;
    const { assessment } = test.assess({ ...found, leads });
    if (assessment !== 'waiting') return assessment === 'worse';
  }
  return false;
}

for (const rate of [0.0002, 0.001, 0.005, 0.02, 0.1]) {
  test(`watch: rolls back at most 1 % of sound canaries that fail in ${100 * rate} % of views`, (context) => {
    const random = randomNumbers();
    const stages = [5, 25, 60, 90];
    const watches = 1000;
    let rolledBack = 0;
    for (let watch = 0; watch < watches; watch += 1) {
      if (stages.some((percent) => rollsBack(percent, rate, errorRate / stages.length, random))) {
        rolledBack += 1;
      }
    }
    context.diagnostic(`${rolledBack} of ${watches}`);
    assert.ok(rolledBack <= errorRate * watches);
  });
}
