import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { makeToken, withTokens } from './testing/hosted-service.ts';
import { sampleLead } from './testing/sample-lead.ts';
import { statusOfLead } from './testing/send-lead.ts';
import { startService } from './testing/service-process.ts';
import { onEachDatabase } from './testing/test-databases.ts';
import { deadline, until } from './testing/until.ts';

onEachDatabase('the service process', (test) => {
  test('finishes requests in flight after repeated stop signals and exits with 0', async (database) => {
    await using service = startService(database.environment);
    const url = await service.url();
    const sending = await beginRequest(url);

    service.child.kill('SIGTERM');
    await service.line('stopping');
    service.child.kill('SIGINT');
    service.child.kill('SIGTERM');
    // The service logs the shutdown before its port closes.
    await until(async () => (await fetch(url).catch(() => undefined)) === undefined);
    sending.end(JSON.stringify(sampleLead));
    const [answer] = await once(sending, 'response');

    assert.equal(answer.statusCode, 201);
    assert.equal(answer.headers.connection, 'close');
    answer.resume();
    assert.deepEqual(await service.exit, { code: 0, signal: null });
    assert.equal((await database.leads()).length, 1);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`exits with 0 on ${signal} even if clients keep connections open`, async (database) => {
      await using service = startService(database.environment);
      const url = await service.url();
      const unused = connect(Number(new URL(url).port), '127.0.0.1');
      await once(unused, 'connect');
      // `fetch` keeps its connection open after the answer.
      assert.equal(await statusOfLead({ url }), 201);

      service.child.kill(signal);

      assert.deepEqual(await service.exit, { code: 0, signal: null });
      assert.deepEqual(service.stderr, []);
    });
  }

  for (const when of ['during the start', 'after it'] as const) {
    test(`exits when its parent process ends ${when}`, async (database) => {
      await using service = startService(database.environment);
      if (when === 'after it') await service.url();
      service.child.disconnect();
      assert.deepEqual(await service.exit, { code: 0, signal: null });
    });
  }

  test('sends its origins to its parent process', async (database) => {
    await using service = startService({
      ...database.environment,
      ...withTokens(makeToken('sales', ['read'])),
    });
    const signal = AbortSignal.timeout(deadline);
    const [origins] = await once(service.child, 'message', { signal });
    assert.deepEqual(origins, { site: await service.url(), admin: await service.adminUrl() });
  });

  test('refuses a second service in its data directory', async (database) => {
    await using first = startService(database.environment);
    await first.url();
    await using second = startService(database.environment);
    assert.deepEqual(await second.exit, { code: 1, signal: null });
    assert.match(second.stderr.join(), /Another lead service uses .* set DATA_DIR to another folder/);
    assert.equal(await statusOfLead({ url: await first.url() }), 201);
  });
});

/** A request in flight: the service has begun to handle it, and its body is incomplete. */
async function beginRequest(url: string): Promise<ClientRequest> {
  const sending = request(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  return sending;
}
