import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settlingTime } from '@countersign/contracts/telemetry';
import { BegunViews } from './begun-views.ts';

const labels = {
  releaseId: 'r-0123456789ab',
  part: 'mf-pricing',
  version: '1.1.0',
  group: 'canary',
} as const;

function countViews() {
  const total = { begun: 0, settled: 0 };
  const views = new BegunViews((_labels, { begun, settled }) => {
    total.begun += begun;
    total.settled += settled;
  });
  return { views, total };
}

test('begun views: views are published only after the settling time', () => {
  const { views, total } = countViews();
  views.begin(labels, 'one', 1_000);
  views.begin(labels, 'one', 1_000);
  views.settle(labels, 'one', 400, 1_400);
  views.publishSettled(5_000 + settlingTime - 1);
  assert.deepEqual(total, { begun: 0, settled: 0 });
  views.publishSettled(5_000 + settlingTime);
  assert.deepEqual(total, { begun: 2, settled: 1 });
});

test('begun views: the difference of the counters is the number of stalled views', () => {
  const { views, total } = countViews();
  let hung = 0;
  // Ten views per second; one in ten stalls, the others settle after ten seconds.
  for (let now = 0; now <= 300_000; now += 100) {
    views.begin(labels, 'one', now);
    if (now >= 10_000 && (now / 100) % 10 !== 0) views.settle(labels, 'one', 10_000, now);
    views.publishSettled(now);
    hung = total.begun - total.settled;
    assert.equal(hung, total.begun / 10);
  }
  assert.ok(hung > 250, String(hung));
});
