import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sampleLead } from './testing/sample-lead.ts';
import { startService } from './testing/service-process.ts';
import { databaseKinds } from './testing/test-databases.ts';
import { until } from './testing/until.ts';

for (const kind of databaseKinds) {
  describe(`the service as a process on ${kind.name}`, () => {
    test('says once where it listens and where the leads are, without a password', async () => {
      await using database = await kind.create();
      await using service = startService(database.environment);
      const line = await service.line('listening');
      assert.match(line, /^lead-service: listening on http:\/\/127\.0\.0\.1:\d+, leads in \S+$/);
      assert.doesNotMatch(line, /@/);
    });

    test('still has a lead that it has thanked for after it was killed, and goes on after a restart', async () => {
      await using database = await kind.create();
      {
        await using service = startService(database.environment);
        assert.equal(await post(await service.url(), 'Before'), 201);
        service.child.kill('SIGKILL');
        assert.deepEqual(await service.exit, { code: null, signal: 'SIGKILL' });
      }
      await using service = startService(database.environment);
      assert.equal(await post(await service.url(), 'After'), 201);

      const names = (await database.leads()).map(({ name }) => name);
      assert.deepEqual(names, ['Before', 'After']);
    });

    test('finishes the request in flight when it is asked to stop, however often, and exits with 0', async () => {
      await using database = await kind.create();
      await using service = startService(database.environment);
      const url = await service.url();
      const sending = await beginRequest(url);

      service.child.kill('SIGTERM');
      await service.line('stopping');
      service.child.kill('SIGINT');
      service.child.kill('SIGTERM');
      // It says so first: for a moment, it still accepts new connections.
      await until(() => isRefused(url));
      sending.end(JSON.stringify(sampleLead));
      const [answer] = await once(sending, 'response');

      assert.equal(answer.statusCode, 201);
      assert.equal(answer.headers.connection, 'close');
      answer.resume();
      assert.deepEqual(await service.exit, { code: 0, signal: null });
      assert.equal((await database.leads()).length, 1);
    });

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      test(`exits with 0 on ${signal}, although clients keep their connections`, async () => {
        await using database = await kind.create();
        await using service = startService(database.environment);
        const url = await service.url();
        const unused = connect(Number(new URL(url).port), '127.0.0.1');
        await once(unused, 'connect');
        assert.equal(await post(url, 'Keeper'), 201);

        service.child.kill(signal);

        assert.deepEqual(await service.exit, { code: 0, signal: null });
        assert.deepEqual(service.stderr, []);
      });
    }

    test('does not outlive the process that started it', async () => {
      await using database = await kind.create();
      await using service = startService(database.environment);
      await service.url();
      service.child.disconnect();
      assert.deepEqual(await service.exit, { code: 0, signal: null });
    });

    test('does not outlive the process that started it even if that ends during the start', async () => {
      await using database = await kind.create();
      await using service = startService(database.environment);
      service.child.disconnect();
      assert.deepEqual(await service.exit, { code: 0, signal: null });
    });

    test('lets no second one into its data directory', async () => {
      await using database = await kind.create();
      await using first = startService(database.environment);
      await first.url();
      await using second = startService(database.environment);
      assert.deepEqual(await second.exit, { code: 1, signal: null });
      assert.match(second.stderr.join(), /Another lead service works in .* set DATA_DIR to another folder/);
      assert.equal(await post(await first.url(), 'First'), 201);
    });
  });
}

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  test('two services that start at once on a new PostgreSQL database share it', async () => {
    await using database = await kind.create();
    const environmentOf = (name: string) => ({
      ...database.environment,
      DATA_DIR: join(database.dataDirectory, name),
    });
    await using first = startService(environmentOf('first'));
    await using second = startService(environmentOf('second'));
    assert.equal(await post(await first.url(), 'First'), 201);
    assert.equal(await post(await second.url(), 'Second'), 201);
    assert.equal((await database.leads()).length, 2);
  });
}

async function post(url: string, name: string): Promise<number> {
  const answer = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...sampleLead, name }),
  });
  await answer.text();
  return answer.status;
}

function isRefused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

/** A request that the service has begun to handle and whose body is still to come. */
async function beginRequest(url: string): Promise<ClientRequest> {
  const sending = request(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  return sending;
}
