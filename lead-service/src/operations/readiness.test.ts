import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadinessCheck } from './readiness.ts';

const away = () => Promise.reject(new Error('away'));
const lateAfterSeconds = 600;

test('a service whose deliveries are on time is ready', async () => {
  const readiness = createReadinessCheck({
    oldestUndeliveredSeconds: async () => 600,
    spoolDepth: async () => 0,
    lateAfterSeconds,
  });
  assert.deepEqual(await readiness.check(), { status: 'ready', reasons: [] });
});

test('a late delivery, leads in the spool and a database that is away are degraded, not down', async () => {
  const late = createReadinessCheck({
    oldestUndeliveredSeconds: async () => 601,
    spoolDepth: async () => 2,
    lateAfterSeconds,
  });
  assert.deepEqual(await late.check(), {
    status: 'degraded',
    reasons: [
      'A delivery has waited for more than 600 seconds.',
      'Leads wait in the spool for the database.',
    ],
  });
  const spooling = createReadinessCheck({
    oldestUndeliveredSeconds: away,
    spoolDepth: async () => 0,
    lateAfterSeconds,
  });
  assert.deepEqual(await spooling.check(), {
    status: 'degraded',
    reasons: ['The database does not answer.'],
  });
});

test('a service whose database and spool are both away is unavailable, as is one without a spool', async () => {
  for (const spoolDepth of [away, undefined]) {
    const readiness = createReadinessCheck({ oldestUndeliveredSeconds: away, spoolDepth, lateAfterSeconds });
    assert.equal((await readiness.check()).status, 'unavailable');
  }
});

test('a service that is about to stop is unavailable', async () => {
  const readiness = createReadinessCheck({
    oldestUndeliveredSeconds: async () => 0,
    spoolDepth: undefined,
    lateAfterSeconds,
  });
  readiness.beginDraining();
  assert.deepEqual(await readiness.check(), { status: 'unavailable', reasons: ['The service is stopping.'] });
});
