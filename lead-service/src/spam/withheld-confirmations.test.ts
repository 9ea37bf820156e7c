import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sendLead, openForm } from '../testing/send-lead.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

const time = 3_000;
let number = 0;

/** A lead of a person of its own. */
function someLead(changes: object = {}): object {
  number += 1;
  const message = `Please call me back about offer ${number}.`;
  return { email: `person-${number}@example.com`, message, ...changes };
}

/** Sends a lead with the token of a form that was open for long enough. */
async function send(service: HostedService, lead: object, from = '203.0.113.1'): Promise<void> {
  const { token } = await openForm(service);
  mock.timers.tick(time);
  const headers = { 'x-forwarded-for': from };
  assert.equal((await sendLead(service, { formToken: token, ...lead }, { headers })).status, 201);
}

/** For each lead, in order: the answer to the attempt of its confirmation, once all have ended. */
async function answers({ database }: HostedService, leads: number): Promise<string[]> {
  const attempts = database.db
    .selectFrom('outbox')
    .innerJoin('deliveryAttempts', 'deliveryAttempts.outboxId', 'outbox.id')
    .select(['kind', 'state', 'answer'])
    .orderBy('outbox.leadId');
  await until(async () => (await attempts.execute()).length === 2 * leads);
  const all = await attempts.execute();
  assert.ok(all.every(({ kind, state }) => kind !== 'sales-mail' || state === 'done'));
  return all.filter(({ kind }) => kind === 'confirmation-mail').map(({ answer }) => answer);
}

const sent = 'Kept as a file.';

describe('confirmation', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
  afterEach(() => mock.timers.reset());

  test('is skipped without a good form token, from a score of 4, and for repeated text', async () => {
    await using service = await hostService(sqlite, { DELIVERY: 'on' });
    const message = 'Everyone gets this message, and it is long enough.';
    await send(service, someLead());
    await send(service, someLead({ formToken: undefined }));
    await send(service, someLead({ formToken: 'forged' }));
    await send(service, someLead({ email: 'ada@mailinator.com' }));
    for (let repeated = 1; repeated <= 4; repeated += 1) await send(service, someLead({ message }));
    assert.deepEqual(await answers(service, 8), [
      sent,
      'Withheld: the lead came without a valid form token.',
      'Withheld: the lead came without a valid form token.',
      'Withheld: the spam score of the lead is 4.',
      ...[sent, sent, sent],
      'Withheld: too many leads have the same message.',
    ]);
    assert.match(service.lines.join('\n'), /delivery skipped .*reason=.*without a valid form token/);
  });

  for (const kind of databaseKinds) {
    test(
      `is skipped beyond the limits of address, network and service on ${kind.name}`,
      kind.options,
      async () => {
        await using service = await hostService(kind, {
          DELIVERY: 'on',
          TRUSTED_PROXY_HOPS: '1',
          CONFIRMATIONS_PER_ADDRESS: '2',
          CONFIRMATIONS_PER_NETWORK: '3',
          CONFIRMATIONS_PER_HOUR: '4',
        });
        const senders = ['1.1', '1.1', '1.1', '1.2', '1.3', '2.1', '3.1'];
        for (const sender of senders) await send(service, someLead(), `10.9.${sender}`);
        const beyond = (whose: string) =>
          `Withheld: ${whose} has caused too many confirmations within an hour.`;
        assert.deepEqual(await answers(service, senders.length), [
          ...[sent, sent, beyond('the address of the sender')],
          ...[sent, beyond('the network of the sender')],
          ...[sent, beyond('the service')],
        ]);
      },
    );
  }

  test('to one address counts once, whatever its capitalisation and however often the lead is sent', async () => {
    await using service = await hostService(sqlite, { DELIVERY: 'on', CONFIRMATIONS_PER_ADDRESS: '2' });
    await send(service, someLead({ email: 'ada@example.com' }));
    await send(service, someLead({ email: 'ADA@example.com' }));
    await send(service, someLead({ email: 'Ada@Example.com' }));
    await send(service, someLead());
    const today = 'The address has had a confirmation today.';
    assert.deepEqual(await answers(service, 4), [sent, today, today, sent]);
  });
});
