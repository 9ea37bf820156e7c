import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedLead } from '../testing/accepted-lead.ts';
import { createReadinessCheck } from './readiness.ts';
import { createStoreWatch } from './store-watch.ts';

const away = () => Promise.reject(new Error('away'));
const known = (oldestSeconds: number) => async () => ({ isKnown: true, oldestSeconds, aheadSeconds: 0 });
const unknown = async () => ({ isKnown: false, oldestSeconds: 0, aheadSeconds: 0 });
const noFault = () => undefined;
const usual = {
  lateAfterSeconds: 600,
  refusesLeads: () => false,
  databaseFault: noFault,
  spoolFault: noFault,
};

test('a service whose deliveries are on time is ready', async () => {
  const readiness = createReadinessCheck({
    backlog: known(600),
    spoolDepth: async () => 0,
    ...usual,
  });
  assert.deepEqual(await readiness.check(), { status: 'ready', reasons: [] });
});

test('a late delivery, leads in the spool and a database that is away are degraded, not down', async () => {
  const late = createReadinessCheck({
    backlog: known(601),
    spoolDepth: async () => 2,
    ...usual,
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
    ...usual,
  });
  assert.deepEqual(await spooling.check(), {
    status: 'degraded',
    reasons: ['The database does not answer.'],
  });
});

test('a service whose database and spool are both away is unavailable, as is one without a spool', async () => {
  for (const spoolDepth of [away, undefined]) {
    const readiness = createReadinessCheck({ backlog: unknown, spoolDepth, ...usual });
    assert.equal((await readiness.check()).status, 'unavailable');
  }
});

test('a service that is about to stop is unavailable', async () => {
  const readiness = createReadinessCheck({
    backlog: known(0),
    spoolDepth: undefined,
    ...usual,
  });
  readiness.beginDraining();
  assert.deepEqual(await readiness.check(), { status: 'unavailable', reasons: ['The service is stopping.'] });
});

test('a service that could not store the last lead is unavailable, until one is stored or some time has passed', async () => {
  let now = 0;
  let kind: 'stored' | 'unavailable' = 'unavailable';
  const watch = createStoreWatch(() => now);
  const store = watch.watched({ add: async () => ({ kind }) });
  const readiness = createReadinessCheck({
    ...usual,
    backlog: known(0),
    spoolDepth: undefined,
    refusesLeads: () => watch.refusesLeads(),
  });
  const refusing = { status: 'unavailable', reasons: ['The last lead could not be stored.'] };
  const lead = acceptedLead('Please call me.', 'key');

  await store.add(lead);
  assert.deepEqual(await readiness.check(), refusing);
  kind = 'stored';
  await store.add(lead);
  assert.equal((await readiness.check()).status, 'ready');

  kind = 'unavailable';
  await store.add(lead);
  now += 59_999;
  assert.deepEqual(await readiness.check(), refusing);
  now += 1;
  assert.equal((await readiness.check()).status, 'ready', 'the next lead may show');
});
