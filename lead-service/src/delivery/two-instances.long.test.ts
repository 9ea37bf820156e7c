import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { leadAccepted } from '@countersign/contracts/lead';
import { sendLead } from '../testing/send-lead.ts';
import { startService } from '../testing/service-process.ts';
import { startSmtpReceiver } from '../testing/smtp-receiver.ts';
import { postgres } from '../testing/test-databases.ts';
import { until, untilLength } from '../testing/until.ts';
import { startWebhookReceiver, webhookSecret } from '../testing/webhook-receiver.ts';
import { concurrency } from './delivery-worker.ts';

const salesAddress = 'sales@example.org';

test('two instances: one takes over the deliveries of a killed one', postgres.options, async () => {
  await using database = await postgres.open();
  await using smtp = await startSmtpReceiver();
  await using receiver = await startWebhookReceiver();
  const environmentOf = (name: string) => ({
    ...database.environment,
    DATA_DIR: join(database.dataDirectory, name),
    SMTP_URL: smtp.url,
    MAIL_FROM: 'site@example.org',
    SALES_ADDRESS: salesAddress,
    WEBHOOKS: `crm=${receiver.url}`,
    WEBHOOK_SECRETS: `crm=${webhookSecret}`,
    DELIVERY_LEASE_SECONDS: '6',
  });
  await using first = startService(environmentOf('first'));
  await using second = startService(environmentOf('second'));
  const urls = [await first.url(), await second.url()];

  // The receiver answers only after both instances are at their concurrency limit.
  const held: ServerResponse[] = [];
  receiver.answer(
    ...Array.from({ length: 2 * concurrency }, () => (answer: ServerResponse) => held.push(answer)),
  );
  const before = await Promise.all(
    Array.from({ length: 30 }, (_, index) => post(urls[index % 2] ?? '', `before${index}`)),
  );
  await untilLength(() => held, 2 * concurrency);
  assert.equal((await first.crash()).signal, 'SIGKILL');
  const interrupted = new Set(receiver.received.map(({ id }) => id));
  for (const answer of held) answer.end();
  const after = await Promise.all(
    Array.from({ length: 10 }, (_, index) => post(urls[1] ?? '', `after${index}`)),
  );

  const states = () => database.db.selectFrom('outbox').select(['id', 'leadId', 'kind', 'state']).execute();
  const rows = await until(states, (found) => found.every(({ state }) => state !== 'pending'));
  const sent = [...before, ...after];
  assert.deepEqual(await database.leadIds(), sent.toSorted());
  assert.equal(rows.length, 2 * sent.length);
  assert.ok(rows.every(({ state }) => state === 'done'));

  const webhooks = rows.filter((row) => row.kind === 'webhook').map(({ id }) => id);
  const received = receiver.received.map(({ id }) => id);
  assert.deepEqual([...new Set(received)].toSorted(), webhooks.toSorted());
  const repeated = received.filter((id, index) => received.indexOf(id) !== index);
  assert.ok(repeated.length >= concurrency, 'what the killed instance had in flight came again');
  assert.ok(repeated.every((id) => interrupted.has(id)));

  const messages = new Set(smtp.mails.map(({ mail }) => mail.messageId));
  const mails = rows.filter((row) => row.kind === 'sales-mail').map(({ id }) => `<${id}@example.org>`);
  assert.deepEqual([...messages].toSorted(), mails.toSorted());
});

/** Stores a lead of a new person, and returns its id. */
async function post(url: string, name: string): Promise<string> {
  const answer = await sendLead({ url }, { email: `${name}@example.com` });
  assert.equal(answer.status, 201);
  return leadAccepted.parse(await answer.json()).id;
}
