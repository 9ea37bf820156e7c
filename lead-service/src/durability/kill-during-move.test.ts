import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { startService } from '../testing/service-process.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

const messages = Array.from({ length: 40 }, (_, number) => `Sent while PostgreSQL was away: ${number}.`);

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  describe('leads that move from the spool to PostgreSQL', { concurrency: true }, () => {
    for (const when of ['before', 'after'] as const) {
      test(`arrive once and in order if the service is killed ${when} they are committed`, async () => {
        await using database = await kind.create();
        await using proxy = await startDatabaseProxy(database.environment['DATABASE_URL'] ?? '');
        const environment = { ...database.environment, DATABASE_URL: proxy.url, DELIVERY: 'off' };
        {
          await using service = startService(environment);
          const url = await service.url();
          proxy.become('refusing');
          for (const message of messages) assert.equal(await send(url, message), 202);
          const moving = proxy.cut(when, 'insert into leads', 'commit');
          proxy.become('through');
          await moving;
          service.child.kill('SIGKILL');
          await service.exit;
        }
        await using service = startService(environment);
        await service.line('moved leads');
        await until(async () => (await database.leads()).length >= messages.length);
        assert.deepEqual(
          (await database.leads()).map(({ message }) => message),
          messages,
        );
      });
    }
  });
}

async function send(url: string, message: string): Promise<number> {
  const answer = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...sampleLead, message }),
  });
  await answer.text();
  return answer.status;
}
