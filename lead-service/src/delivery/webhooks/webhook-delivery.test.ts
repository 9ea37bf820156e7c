import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../testing/until.ts';
import { sampleLead } from '../../testing/sample-lead.ts';
import { databaseKinds } from '../../testing/test-databases.ts';
import { serveDelivery } from '../testing/served-delivery.ts';
import { startWebhookReceiver, webhookSecret } from '../testing/webhook-receiver.ts';

const minute = 60_000;
const newSecret = 'whsec_bmV3IHNlY3JldCB0aGF0IGlzIGxvbmcgZW5vdWdo';

for (const kind of databaseKinds) {
  describe(`a webhook on ${kind.name}`, () => {
    test('brings the lead, and its signature holds', async () => {
      await using database = await kind.create();
      await using receiver = await startWebhookReceiver();
      await using service = await serveDelivery(database, { webhook: receiver.url });
      const id = await service.lead();
      const row = await service.reached('webhook', 'done');

      const [webhook, ...others] = receiver.received;
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

    test('is sent again under the same id when the answer is 500, until the receiver has recovered', async () => {
      await using database = await kind.create();
      await using receiver = await startWebhookReceiver();
      await using service = await serveDelivery(database, { webhook: receiver.url });
      receiver.answer(500, 503);
      await service.lead();
      await service.reached('webhook', 'pending', 1);
      service.pass(minute);
      await service.reached('webhook', 'pending', 2);
      service.pass(5 * minute);
      const { id } = await service.reached('webhook', 'done', 3);

      assert.deepEqual(
        receiver.received.map((webhook) => [webhook.id, webhook.payload !== undefined]),
        [
          [id, true],
          [id, true],
          [id, true],
        ],
      );
      assert.deepEqual(
        (await service.attempts('webhook')).map(({ status, answer }) => [status, answer]),
        [
          [500, 'status 500'],
          [503, 'status 503'],
          [200, 'status 200'],
        ],
      );
    });

    test('that hangs is broken off, is sent again, and has held up no mail', async () => {
      await using database = await kind.create();
      await using receiver = await startWebhookReceiver();
      const hanging = Array.from({ length: 10 }, () => () => undefined);
      receiver.answer(...hanging);
      // Half of the lease is what an attempt may take.
      await using service = await serveDelivery(database, { webhook: receiver.url, leaseSeconds: 1 });
      for (const index of hanging.keys()) await service.lead({ message: `Message number ${index}.` });
      await until(async () => (await service.attempts('sales-mail')).length === hanging.length);
      await until(async () => (await service.attempts('webhook')).length === hanging.length);
      for (const { outcome, status, answer } of await service.attempts('webhook')) {
        assert.deepEqual([outcome, status, answer], ['failed', null, 'No answer within 0.5 s.']);
      }

      service.pass(minute);
      await service.reached('webhook', 'done');
    });

    test('follows no redirect', async () => {
      await using database = await kind.create();
      await using receiver = await startWebhookReceiver();
      await using service = await serveDelivery(database, { webhook: receiver.url });
      receiver.answer((response) => response.writeHead(307, { location: `${receiver.url}/other` }).end());
      await service.lead();
      await service.reached('webhook', 'pending', 1);
      assert.equal((await service.attempts('webhook'))[0]?.status, 307);
      assert.equal(receiver.received.length, 1);
    });

    test('is given up at once when the endpoint is gone for good', async () => {
      await using database = await kind.create();
      await using receiver = await startWebhookReceiver();
      await using service = await serveDelivery(database, { webhook: receiver.url });
      receiver.answer(410);
      await service.lead();
      await service.reached('webhook', 'dead', 1);
    });

    test('to an endpoint that is no longer configured is not forgotten', async () => {
      await using database = await kind.create();
      await using receiver = await startWebhookReceiver();
      {
        receiver.answer(500);
        await using service = await serveDelivery(database, { webhook: receiver.url });
        await service.lead();
        await service.reached('webhook', 'pending', 1);
      }
      await using service = await serveDelivery(database);
      service.pass(minute);
      await service.reached('webhook', 'pending', 2);
      assert.match((await service.attempts('webhook'))[1]?.answer ?? '', /Add it to WEBHOOKS/);
    });
  });
}

describe('a webhook', () => {
  const sqlite = databaseKinds[0] ?? assert.fail();

  for (const [whose, secret] of [
    ['new', newSecret],
    ['old', webhookSecret],
  ] as const) {
    test(`is accepted by a receiver that knows the ${whose} secret while it is replaced`, async () => {
      await using database = await sqlite.create();
      await using receiver = await startWebhookReceiver(secret);
      const secrets = [newSecret, webhookSecret];
      await using service = await serveDelivery(database, { webhook: receiver.url, secrets });
      await service.lead();
      await service.reached('webhook', 'done');
      assert.notEqual(receiver.received[0]?.payload, undefined);
    });
  }

  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]']) {
    test(`never reaches ${host}, unless private addresses are allowed`, async () => {
      await using database = await sqlite.create();
      await using receiver = await startWebhookReceiver();
      const webhook = `http://${host}:${receiver.port}/`;
      await using service = await serveDelivery(database, { webhook, allowPrivate: false });
      await service.lead();
      await service.reached('webhook', 'pending', 1);
      const [attempt] = await service.attempts('webhook');
      assert.equal(attempt?.answer, 'The address of the endpoint is not public.');
      assert.deepEqual(receiver.received, []);
    });
  }

  test('does not go to a name of which one address is private, whatever the others are', async () => {
    await using database = await sqlite.create();
    await using receiver = await startWebhookReceiver();
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    await using service = await serveDelivery(
      database,
      { webhook: `http://crm.invalid:${receiver.port}/`, allowPrivate: false },
      { resolve },
    );
    await service.lead();
    await service.reached('webhook', 'pending', 1);
    assert.match((await service.attempts('webhook'))[0]?.answer ?? '', /not public/);
    assert.deepEqual(receiver.received, []);
  });

  test('goes to the address that was checked: the name is asked for once', async () => {
    await using database = await sqlite.create();
    await using receiver = await startWebhookReceiver();
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    // No server knows this name: whoever asked a second time would not get there.
    const webhook = `http://crm.invalid:${receiver.port}/`;
    await using service = await serveDelivery(database, { webhook }, { resolve });
    await service.lead();
    await service.reached('webhook', 'done');
    assert.deepEqual(asked, ['crm.invalid']);
    assert.equal(receiver.received[0]?.headers['host'], `crm.invalid:${receiver.port}`);
  });

  test('to a name that is not answered for is broken off too', async () => {
    await using database = await sqlite.create();
    const resolve = () => new Promise<never>(() => undefined);
    await using service = await serveDelivery(
      database,
      { webhook: 'http://crm.invalid/', leaseSeconds: 1 },
      { resolve },
    );
    await service.lead();
    await service.reached('webhook', 'pending', 1);
    assert.equal((await service.attempts('webhook'))[0]?.answer, 'No answer within 0.5 s.');
  });

  test('leaves of an endless answer the beginning, and of an address in it nothing', async () => {
    await using database = await sqlite.create();
    await using receiver = await startWebhookReceiver();
    receiver.answer((response) => {
      response.writeHead(200);
      response.write(`thanks for ${sampleLead.email}\n${'more '.repeat(10_000)}`);
    });
    await using service = await serveDelivery(database, { webhook: receiver.url });
    await service.lead();
    await service.reached('webhook', 'done');
    const [attempt] = await service.attempts('webhook');
    assert.match(attempt?.answer ?? '', /^thanks for \[address\] more more/);
    assert.ok((attempt?.answer.length ?? 0) <= 1_000);
  });

  test('leaves neither its content nor the answer in the log', async () => {
    await using database = await sqlite.create();
    await using receiver = await startWebhookReceiver();
    receiver.answer((response) => response.writeHead(400).end(`I do not want ${sampleLead.name}`));
    await using service = await serveDelivery(database, { webhook: receiver.url });
    await service.lead();
    await service.reached('webhook', 'pending', 1);
    const log = service.lines.join('\n');
    assert.match(log, /delivery failed .*kind=webhook target=crm status=400/);
    for (const secret of [...Object.values(sampleLead), 'do not want', 'whsec_', receiver.url]) {
      assert.ok(!log.includes(secret), secret);
    }
  });
});
