import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'node:util';
import { createLead } from '../lead/lead.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { startSmtpReceiver } from '../testing/smtp-receiver.ts';
import { startWebhookReceiver, webhookSecret } from '../testing/webhook-receiver.ts';
import { createSmtpMailer } from './mail/mailer.ts';
import type { LeasedDelivery } from './attempt-result.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';

/** Number of entries in the internal sets and maps of a signal. */
function entriesOf(signal: AbortSignal): number {
  return Object.getOwnPropertySymbols(signal)
    .map((key): unknown => Reflect.get(signal, key))
    .filter((value) => types.isSet(value) || types.isMap(value))
    .reduce((sum, { size }) => sum + size, 0);
}

test('attempt limit: finished attempts leave no entries in the long-lived signal', async () => {
  await using receiver = await startWebhookReceiver();
  await using smtp = await startSmtpReceiver();
  const { signal } = new AbortController();
  const endpoint = { name: 'crm', url: receiver.url, secrets: [webhookSecret] };
  const sendWebhook = createWebhookSender([endpoint], 10_000);
  const sendMail = createSmtpMailer(smtp.url, 'example.org', false, 10_000);
  const lead = createLead({ type: 'demo', fields: sampleLead });
  const delivery: LeasedDelivery = {
    id: 'delivery',
    leadId: lead.id,
    kind: 'webhook',
    target: 'crm',
    attempts: 0,
    leasedUntil: lead.receivedAt,
  };
  const mail = {
    id: 'mail',
    from: 'site@example.org',
    to: 'sales@example.org',
    messageId: '<mail@example.org>',
    subject: 'New',
    text: 'New',
    headers: {},
  };
  for (let number = 1; number <= 3; number += 1) {
    assert.equal((await sendWebhook(delivery, lead, signal)).outcome, 'delivered');
    assert.equal((await sendMail(mail, signal)).outcome, 'delivered');
  }
  assert.equal(entriesOf(signal), 0);
});
