import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIntake } from '../intake/intake.ts';
import type { StoreOutcome } from '../lead-store/lead-store.ts';
import { noopLog } from '../platform/log.ts';
import { incomingLead } from '../testing/store-lead.ts';
import { createReadinessCheck } from './readiness.ts';

const backlog = (oldestSeconds: number, isDatabaseUp = true) => ({
  backlog: async () => ({ isDatabaseUp, oldestSeconds, deadLetters: 0 }),
});
const spooled = (depth: number) => ({ spoolDepth: async () => depth });
const defaults = {
  ...backlog(0),
  spoolDepth: undefined,
  refusesLeads: () => false,
  whyDegraded: () => [],
};
const late = 'A delivery has waited for more than 600 seconds.';
const spooling = 'Leads wait in the spool for the database.';
const noAnswer = 'The database does not answer.';
const unreadable = { spoolDepth: () => Promise.reject(new Error('unreadable')) };

for (const [what, sources, status, reasons] of [
  ['punctual deliveries', { ...backlog(600), ...spooled(0) }, 'ready', []],
  ['late deliveries and spooled leads', { ...backlog(601), ...spooled(2) }, 'degraded', [late, spooling]],
  ['a database outage', { ...backlog(0, false), ...spooled(0) }, 'degraded', [noAnswer]],
  ['neither database nor spool', backlog(0, false), 'unavailable', [noAnswer]],
  [
    'an unreadable spool and no database',
    { ...backlog(0, false), ...unreadable },
    'unavailable',
    [noAnswer, 'The spool does not answer.'],
  ],
] as const) {
  test(`readiness: a service with ${what} is ${status}`, async () => {
    const readiness = createReadinessCheck({ ...defaults, ...sources });
    assert.deepEqual(await readiness.check(), { status, reasons });
  });
}

test('readiness: a refused lead means unavailable for a minute or until one is written', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let outcome: StoreOutcome = { kind: 'unavailable' };
  const intake = createIntake({ add: async () => outcome }, noopLog);
  const add = () => intake.accept(incomingLead('A message of this test.', 'key'));
  const readiness = createReadinessCheck({ ...defaults, refusesLeads: intake.refusesLeads });
  const refusing = { status: 'unavailable', reasons: ['The last lead could not be stored.'] };

  await assert.rejects(add(), { kind: 'store-unavailable' });
  assert.deepEqual(await readiness.check(), refusing);
  outcome = { kind: 'repeated', leadId: 'earlier', answerStatus: 201, isLater: false };
  await add();
  assert.deepEqual(await readiness.check(), refusing, 'a repeated lead is not written');
  outcome = { kind: 'stored' };
  await add();
  assert.equal((await readiness.check()).status, 'ready');

  outcome = { kind: 'unavailable' };
  await assert.rejects(add());
  now += 59_999;
  assert.deepEqual(await readiness.check(), refusing);
  now += 1;
  assert.equal((await readiness.check()).status, 'ready', 'the refusal has expired');
});
