import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submissionEvents } from '../intake/intake.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { createReadinessCheck, watchStore } from './readiness.ts';

const unavailable = () => Promise.reject(new Error('unavailable'));
const known = (oldestSeconds: number) => async () => ({ isKnown: true, oldestSeconds, aheadSeconds: 0 });
const unknown = async () => ({ isKnown: false, oldestSeconds: 0, aheadSeconds: 0 });
const noError = () => undefined;
const defaults = {
  lateAfterSeconds: 600,
  refusesLeads: () => false,
  databaseError: noError,
  spoolError: noError,
};

test('readiness: a service with punctual deliveries is ready', async () => {
  const readiness = createReadinessCheck({
    backlog: known(600),
    spoolDepth: async () => 0,
    ...defaults,
  });
  assert.deepEqual(await readiness.check(), { status: 'ready', reasons: [] });
});

test('readiness: late deliveries, spooled leads or a database outage mean degraded', async () => {
  const late = createReadinessCheck({
    backlog: known(601),
    spoolDepth: async () => 2,
    ...defaults,
  });
  assert.deepEqual(await late.check(), {
    status: 'degraded',
    reasons: [
      'A delivery has waited for more than 600 seconds.',
      'Leads wait in the spool for the database.',
    ],
  });
  const spooling = createReadinessCheck({
    backlog: unknown,
    spoolDepth: async () => 0,
    ...defaults,
  });
  assert.deepEqual(await spooling.check(), {
    status: 'degraded',
    reasons: ['The database does not answer.'],
  });
});

test('readiness: without database and spool the service is unavailable', async () => {
  for (const spoolDepth of [unavailable, undefined]) {
    const readiness = createReadinessCheck({ backlog: unknown, spoolDepth, ...defaults });
    assert.equal((await readiness.check()).status, 'unavailable');
  }
});

test('readiness: a stopping service is unavailable', async () => {
  const readiness = createReadinessCheck({
    backlog: known(0),
    spoolDepth: undefined,
    ...defaults,
  });
  readiness.beginDraining();
  assert.deepEqual(await readiness.check(), { status: 'unavailable', reasons: ['The service is stopping.'] });
});

test('readiness: a refused lead means unavailable for a minute or until a success', async () => {
  let now = 0;
  const log = createMemoryLog();
  using watch = watchStore(log, () => now);
  const add = (outcome: 'stored' | 'unavailable') =>
    submissionEvents.publish(log, { type: 'demo', isQuarantined: false, outcome });
  const readiness = createReadinessCheck({
    ...defaults,
    backlog: known(0),
    spoolDepth: undefined,
    refusesLeads: () => watch.refusesLeads(),
  });
  const refusing = { status: 'unavailable', reasons: ['The last lead could not be stored.'] };

  add('unavailable');
  assert.deepEqual(await readiness.check(), refusing);
  add('stored');
  assert.equal((await readiness.check()).status, 'ready');

  add('unavailable');
  now += 59_999;
  assert.deepEqual(await readiness.check(), refusing);
  now += 1;
  assert.equal((await readiness.check()).status, 'ready', 'the next lead may show');
});
