import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRatioMismatch } from './sample-ratio.ts';

const cases: readonly (readonly [string, number, number, number, boolean])[] = [
  ['the share that was asked for', 200, 1800, 10, false],
  ['a share that chance explains', 180, 1820, 10, false],
  ['a fifth of the share', 40, 1800, 10, true],
  ['twice the share', 400, 1600, 10, true],
  ['no canary view at all', 0, 200, 10, true],
  ['too few views to say', 0, 40, 10, false],
  ['a canary for everybody, beside pages opened before', 500, 20, 100, false],
  ['a canary for nobody', 0, 500, 0, false],
];

for (const [what, canary, stable, percent, mismatch] of cases) {
  test(`sample ratio: ${what} is ${mismatch ? 'a' : 'no'} mismatch`, () =>
    assert.equal(hasRatioMismatch(canary, stable, percent), mismatch));
}

test('sample ratio: about 0.1 % of sound samples are mismatches', () => {
  let seed = 11;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  let mismatches = 0;
  for (let sample = 0; sample < 10_000; sample += 1) {
    const canary = Array.from({ length: 500 }, random).filter((share) => share < 0.1).length;
    if (hasRatioMismatch(canary, 500 - canary, 10)) mismatches += 1;
  }
  assert.ok(mismatches > 0 && mismatches < 30, String(mismatches));
});
