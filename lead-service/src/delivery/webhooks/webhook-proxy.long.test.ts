import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { listenLocally } from '../../testing/local-server.ts';
import { statusOfLead } from '../../testing/send-lead.ts';
import { startService } from '../../testing/service-process.ts';
import { sqlite } from '../../testing/test-databases.ts';
import { untilLength } from '../../testing/until.ts';
import { startWebhookReceiver, webhookSecret } from '../../testing/webhook-receiver.ts';

test('webhook: the proxy of the environment forwards it, and NO_PROXY goes past it', async () => {
  await using receiver = await startWebhookReceiver();
  await using database = await sqlite.create();
  const hosts: string[] = [];
  // No DNS server knows the host, so that only the proxy reaches it.
  await using proxy = createServer().on('connect', ({ url = '' }, client: Socket) => {
    hosts.push(url);
    const target = connect(receiver.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    for (const socket of [client, target]) socket.on('error', () => undefined);
  });
  await using service = startService({
    ...database.environment,
    WEBHOOKS: `far=http://crm/hook,near=${receiver.url}`,
    WEBHOOK_SECRETS: `far=${webhookSecret},near=${webhookSecret}`,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: `http://127.0.0.1:${await listenLocally(proxy)}`,
    NO_PROXY: '127.0.0.1',
  });
  assert.equal(await statusOfLead({ url: await service.url() }), 201);
  await untilLength(async () => receiver.received, 2);
  assert.deepEqual(hosts, ['crm:80']);
});
