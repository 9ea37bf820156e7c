import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessCanary, type ViewCount, type Assessment } from './assess-canary.ts';

const cases: readonly (readonly [string, ViewCount, ViewCount, Assessment])[] = [
  [
    'one that always fails, too early to say',
    { views: 49, failures: 49 },
    { views: 900, failures: 0 },
    'waiting',
  ],
  ['one that always fails', { views: 50, failures: 50 }, { views: 900, failures: 0 }, 'worse'],
  ['one that fails one time in ten', { views: 100, failures: 10 }, { views: 900, failures: 2 }, 'worse'],
  ['one that never fails', { views: 50, failures: 0 }, { views: 900, failures: 0 }, 'fine'],
  [
    'one that fails as often as the stable one',
    { views: 100, failures: 3 },
    { views: 900, failures: 27 },
    'fine',
  ],
  [
    'one with a single failure, by bad luck',
    { views: 100, failures: 1 },
    { views: 900, failures: 3 },
    'fine',
  ],
  ['one that is better', { views: 100, failures: 0 }, { views: 900, failures: 90 }, 'fine'],
  [
    'one that fails while nobody sees the stable one',
    { views: 50, failures: 40 },
    { views: 0, failures: 0 },
    'worse',
  ],
  [
    'one that always fails, as the stable one does',
    { views: 50, failures: 50 },
    { views: 50, failures: 50 },
    'fine',
  ],
];

for (const [what, canary, stable, assessment] of cases) {
  test(`${what}: ${assessment}`, () => assert.equal(assessCanary(canary, stable, 50), assessment));
}

test('assess canary: about 1 % of sound canaries are called worse', () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const count = (views: number): ViewCount => ({
    views,
    failures: Array.from({ length: views }, random).filter((chance) => chance < 0.05).length,
  });
  const worse = Array.from({ length: 1000 }, () => assessCanary(count(200), count(1800), 200)).filter(
    (assessment) => assessment === 'worse',
  );
  assert(worse.length > 0 && worse.length < 30, String(worse.length));
});
