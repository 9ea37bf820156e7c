import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { listenLocally } from '../../testing/local-server.ts';
import { sampleLead } from '../../testing/sample-lead.ts';
import { serveDelivery } from '../../testing/served-delivery.ts';
import { storeLead } from '../../testing/store-lead.ts';
import { onEachDatabase, sqlite } from '../../testing/test-databases.ts';
import { untilLength } from '../../testing/until.ts';
import { webhookSecret } from '../../testing/webhook-receiver.ts';

const minute = 60_000;
const newSecret = 'whsec_bmV3IHNlY3JldCB0aGF0IGlzIGxvbmcgZW5vdWdo';

onEachDatabase('webhook delivery', (test) => {
  test('a webhook contains the lead and a valid signature', async (database) => {
    await using service = await serveDelivery(database, { webhook: true });
    const id = await service.lead();
    const row = await service.reached('webhook', 'done');

    const [webhook, ...others] = service.receiver.received;
    assert.deepEqual(others, []);
    assert.equal(webhook?.id, row.id);
    assert.equal(webhook.headers['content-type'], 'application/json');
    assert.deepEqual(webhook.payload, {
      type: 'lead.created',
      timestamp: row.createdAt,
      data: {
        id,
        type: 'demo',
        ...sampleLead,
        receivedAt: row.createdAt,
        attribution: {},
        spam: { score: 0, reasons: [] },
      },
    });
  });

  for (const [what, answered, min, max] of [
    ['seconds', '600', 580_000, 600_000],
    ['a date', new Date(Date.now() + 10 * minute).toUTCString(), 60_000, 600_000],
    ['less than the back-off', '1', 15_000, 35_000],
    ['a year', '31536000', 22 * 60 * minute, 24 * 60 * minute],
  ] as const) {
    test(`Retry-After with ${what} delays the next attempt, up to 23 h`, async (database) => {
      await using service = await serveDelivery(database, { webhook: true });
      service.receiver.answer((response) => response.writeHead(503, { 'retry-after': answered }).end('busy'));
      await service.lead();
      const { nextAttemptAt } = await service.reached('webhook', 'pending', 1);
      const wait = Date.parse(nextAttemptAt) - service.clock.now().getTime();
      assert.ok(wait > min && wait <= max, `${wait} ms`);
    });
  }

  test('a stalled receiver times out, is retried, and delays no mail', async (database) => {
    const leads = 10;
    let isStalled = true;
    const stall = (response: ServerResponse) => void (isStalled || response.writeHead(200).end());
    // An attempt times out after half of the lease. On a busy machine a lease may end, and the attempt be repeated.
    await using service = await serveDelivery(database, { webhook: true, leaseSeconds: 4 });
    service.receiver.answer(...Array.from({ length: 5 * leads }, () => stall));
    for (let index = 0; index < leads; index += 1)
      await service.lead({ message: `Message number ${index}.` });
    await untilLength(() => service.attempts('sales-mail'), leads);
    await untilLength(() => service.attempts('webhook'), leads);
    for (const { outcome, status, answer } of await service.attempts('webhook')) {
      assert.deepEqual([outcome, status, answer], ['failed', null, 'No answer within 2 s.']);
    }

    isStalled = false;
    service.pass(minute);
    await service.reached('webhook', 'done');
  });
});

describe('webhook', () => {
  for (const [format, body] of [
    [
      'slack',
      {
        text: 'New contact: Ada King Lovelace (Engines &amp; Co), ada@example.com\nPlease call &lt;me&gt;.',
      },
    ],
    [
      'hubspot',
      {
        fields: [
          { objectTypeId: '0-1', name: 'email', value: 'ada@example.com' },
          { objectTypeId: '0-1', name: 'firstname', value: 'Ada King' },
          { objectTypeId: '0-1', name: 'lastname', value: 'Lovelace' },
          { objectTypeId: '0-1', name: 'company', value: 'Engines & Co' },
          { objectTypeId: '0-1', name: 'message', value: 'Please call <me>.' },
        ],
        context: { pageUri: '/pricing' },
      },
    ],
  ] as const) {
    test(`${format} gets a body of its own, again after a refusal`, async () => {
      await using service = await serveDelivery(sqlite, { webhook: true, secrets: [], format });
      service.receiver.answer(400);
      await storeLead(service.database, {
        ...{ name: 'Ada King Lovelace', company: 'Engines & Co', message: 'Please call <me>.' },
        attribution: JSON.stringify({ page: '/pricing', consentText: 'Yes, call me.' }),
      });
      // Wakes the worker.
      service.pass(0);
      await service.reached('webhook', 'pending', 1);
      service.pass(minute);
      await service.reached('webhook', 'done');
      const bodies = service.receiver.received.map((webhook) => JSON.parse(webhook.body));
      assert.deepEqual(bodies, [body, body]);
    });
  }

  test('one to a removed endpoint does not wait for stalled mails', async () => {
    await using silent = createServer();
    const smtp = `smtp://127.0.0.1:${await listenLocally(silent)}`;
    await using service = await serveDelivery(sqlite, { smtp }, { stopTimeout: 0 });
    for (let index = 0; index < 10; index += 1) await service.lead({ message: `Message number ${index}.` });
    await storeLead(service.database, {}, ['removed']);
    await service.reached('webhook', 'pending', 1);
    assert.match((await service.attempts('webhook'))[0]?.answer ?? '', /Add it to WEBHOOKS/);
  });

  test('redirects are not followed; the log contains neither the body nor the answer', async () => {
    await using service = await serveDelivery(sqlite, { webhook: true });
    service.receiver.answer((response) =>
      response.writeHead(307, { location: `${service.receiver.url}/other` }).end('do not want'),
    );
    assert.equal((await service.attempt('webhook', 'pending')).status, 307);
    assert.equal(service.receiver.received.length, 1);
    assert.match(await service.line('delivery failed'), /kind=webhook target=crm status=307/);
    const log = service.lines.join('\n');
    for (const secret of [...Object.values(sampleLead), 'do not want', 'whsec_', service.receiver.url]) {
      assert.ok(!log.includes(secret), secret);
    }
  });

  test('the signature is valid with both secrets of a key rotation', async () => {
    const secrets = [newSecret, webhookSecret];
    await using service = await serveDelivery(sqlite, { webhook: true, secrets });
    await service.lead();
    await service.reached('webhook', 'done');
    const [{ body, headers } = assert.fail()] = service.receiver.received;
    for (const secret of secrets) new Webhook(secret).verify(body, headers);
  });

  test('an endless answer is truncated, and its e-mail addresses are removed', async () => {
    await using service = await serveDelivery(sqlite, { webhook: true });
    service.receiver.answer((response) => {
      response.writeHead(200);
      response.write(`thanks for ${sampleLead.email}\n${'more '.repeat(10_000)}`);
    });
    const attempt = await service.attempt('webhook', 'done');
    assert.match(attempt.answer, /^thanks for \[address\] more more/);
    assert.ok(attempt.answer.length <= 1_000);
  });
});
