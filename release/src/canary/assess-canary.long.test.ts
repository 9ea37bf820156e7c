import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessStage, createRandom, type Rates } from '../testing/random-events.ts';
import { falseAlarmRate, requiredEffects } from './assess-canary.ts';

const watches = 2_000;

/** Number of watches that promote a canary, through all stages. */
function promotions(first: number, stages: readonly number[], canary: Rates, stable: Rates): number {
  const random = createRandom(7);
  const effects = requiredEffects({ loss: 100, without: [] });
  const options = { minimumViews: 200, level: falseAlarmRate / stages.length, effects };
  const percentages = [first, ...stages.filter((stage) => stage > first && stage < 100)];
  const isPromoted = () =>
    percentages.every(
      (percent) => assessStage({ ...options, percent }, { canary, stable }, random) === 'fine',
    );
  return Array.from({ length: watches }, isPromoted).filter(Boolean).length;
}

for (const leads of [0.01, 0.03, 0.1]) {
  for (const first of [5, 10, 50]) {
    for (const stages of [[100], [5, 25, 100]]) {
      const name = `${100 * leads} % of views with a lead, ${first} % of visitors, stages ${stages.join()}`;
      test(`watch: promotes sound canaries, and no bad ones: ${name}`, () => {
        const stable = { leads, failed: 0.005, slow: 0 };
        const promote = (canary: Partial<Rates>) =>
          promotions(first, stages, { ...stable, ...canary }, stable) / watches;
        const shares = {
          dead: promote({ leads: 0 }),
          failing: promote({ failed: 0.05 }),
          sound: promote({}),
        };
        assert.ok(shares.dead <= 0.001 && shares.failing <= 0.001, JSON.stringify(shares));
        assert.ok(shares.sound >= 0.99, JSON.stringify(shares));
      });
    }
  }
}
