import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDatabaseProxy } from '../database-proxy.ts';
import { statusOfLead } from '../send-lead.ts';
import { startService } from '../service-process.ts';
import { postgres } from '../test-databases.ts';
import { untilLength } from '../until.ts';

const messages = Array.from({ length: 40 }, (_, number) => `Sent while PostgreSQL was away: ${number}.`);

describe('move from the spool to PostgreSQL', { ...postgres.options, concurrency: true }, () => {
  for (const when of ['before', 'after'] as const) {
    test(`every lead arrives once and in order after a kill ${when} the commit`, async () => {
      await using database = await postgres.create();
      await using proxy = await startDatabaseProxy(database.environment['DATABASE_URL'] ?? '');
      const environment = { ...database.environment, DATABASE_URL: proxy.url, DELIVERY: 'off' };
      {
        await using service = startService(environment);
        const url = await service.url();
        proxy.setMode('refusing');
        for (const message of messages) assert.equal(await statusOfLead({ url }, { message }), 202);
        const moving = proxy.cut(when, 'insert into leads', 'commit');
        proxy.setMode('pass');
        await moving;
        await service.crash();
      }
      await using service = startService(environment);
      await service.line('moved leads');
      await untilLength(() => database.leads(), messages.length);
      assert.deepEqual(
        (await database.leads()).map(({ message }) => message),
        messages,
      );
    });
  }
});
