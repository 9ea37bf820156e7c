import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessStage, createRandom } from '../testing/random-events.ts';
import {
  assessCanary,
  falseAlarmRate,
  noCounts,
  requiredEffects,
  smallestLoss,
  viewsNeeded,
} from './assess-canary.ts';
import { describeNoticed } from './describe-canary.ts';

const options = { percent: 10, minimumViews: 100, level: falseAlarmRate, effects: [] };

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
    const comparison = { canary: { ...noCounts, ...canary }, stable: { ...noCounts, ...stable } };
    const { assessment, because } = assessCanary(comparison, options);
    assert.equal(`${assessment} ${because}`, expected);
  });
}

for (const rate of [0.0002, 0.001, 0.005, 0.02, 0.1]) {
  test(`watch: of sound canaries with ${100 * rate} % events, at most 1 % is rolled back`, (context) => {
    const random = createRandom(7);
    const stages = [5, 25, 60, 90];
    const watches = 1000;
    const rates = { failed: rate, slow: rate, leads: rate };
    const precise = { ...options, minimumViews: Infinity, level: falseAlarmRate / stages.length };
    const rollsBack = (percent: number) =>
      assessStage({ ...precise, percent }, { canary: rates, stable: rates }, random, 60) === 'worse';
    let rolledBack = 0;
    for (let watch = 0; watch < watches; watch += 1) if (stages.some(rollsBack)) rolledBack += 1;
    context.diagnostic(`${rolledBack} of ${watches}`);
    assert.ok(rolledBack <= falseAlarmRate * watches);
  });
}

test('assessment: a form that sends nothing is found after fifteen leads of the stable version', () => {
  const assess = (leads: number) =>
    assessCanary({ canary: noCounts, stable: { ...noCounts, leads } }, { ...options, percent: 50 })
      .assessment;
  assert.deepEqual([assess(7), assess(15)], ['waiting', 'worse']);
});

const effects = requiredEffects({ loss: 100, without: [] });

for (const [what, stable, expected] of [
  ['hardly any leads', { views: 1_800, leads: 20, failed: 9 }, 'waiting'],
  ['no leads', { views: 90_000, failed: 90 }, 'waiting'],
  ['many leads', { views: 9_000, leads: 270, failed: 9 }, 'fine'],
] as const) {
  test(`assessment: beside a stable version with ${what}, a canary without faults is ${expected}`, () => {
    const leads = Math.round(('leads' in stable ? stable.leads : 0) / 9);
    const canary = { ...noCounts, views: stable.views / 9, leads, failed: stable.failed / 9 };
    const comparison = { canary, stable: { ...noCounts, ...stable } };
    assert.equal(assessCanary(comparison, { ...options, effects }).assessment, expected);
  });
}

for (const [what, leads, failed, expected] of [
  [
    'many views',
    { canary: 60, stable: 540 },
    { canary: 10, stable: 90 },
    'ten times the failures and a loss of all leads would have been noticed; a loss of half of the leads would not have been noticed yet: about 1,600 views',
  ],
  [
    'views without a lead',
    { canary: 0, stable: 0 },
    { canary: 0, stable: 0 },
    'ten times the failures would have been noticed; a loss of all leads would not have been noticed yet: the stable version has brought no lead, so that only "--without leads" can judge this canary',
  ],
] as const) {
  test(`assessment: after ${what}, says which losses it detects now, and which later`, () => {
    const comparison = {
      canary: { ...noCounts, views: 1_000, leads: leads.canary, failed: failed.canary },
      stable: { ...noCounts, views: 9_000, leads: leads.stable, failed: failed.stable },
    };
    assert.equal(describeNoticed(comparison, { ...options, effects }), expected);
  });
}

test('views needed: fewer for a larger loss, none known without leads, nor above a billion', () => {
  const stable = { ...noCounts, views: 10_000, leads: 300, failed: 50 };
  const needed = (rate: number) => viewsNeeded(stable, { measure: 'leads', rate }, options) ?? 0;
  assert.ok(needed(0) < needed(0.5) && needed(0.5) < needed(0.8));
  assert.ok(needed(1 - smallestLoss / 100) < 1e6);
  assert.equal(needed(0.98), 0);
  assert.equal(viewsNeeded({ ...stable, leads: 0 }, { measure: 'leads', rate: 0 }, options), undefined);
});
