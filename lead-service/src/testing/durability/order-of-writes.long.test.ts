import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { statusOfLead } from '../send-lead.ts';
import { startService } from '../service-process.ts';
import { postgres, sqlite, type DatabaseKind } from '../test-databases.ts';
import { watchSystemCalls } from './system-calls.ts';

/** The steps of a service with a new data directory: until the start, and from the request for a lead to its answer. */
async function stepsOf(kind: DatabaseKind, steps: Readonly<Record<string, RegExp>>): Promise<string[]> {
  await using database = await kind.create();
  using calls = watchSystemCalls();
  const parent = join(database.dataDirectory, 'new');
  const environment = { ...database.environment, DATA_DIR: join(parent, 'leads'), DELIVERY: 'off' };
  await using service = startService(environment, calls.command);
  assert.equal(await statusOfLead({ url: await service.url() }), 201);
  // Closes the IPC channel, because a signal would reach only the tracer.
  service.child.disconnect();
  await service.exit;
  const synced = (folder: string) => new RegExp(`^fsync\\(\\d+<${folder}>\\) += 0$`);
  const named = {
    inner: synced(parent),
    outer: synced(database.dataDirectory),
    started: /^write\(1.*listening on/,
  };
  assert.deepEqual(calls.order(named), ['inner', 'outer', 'started'], 'the names of new folders are on disk');
  const taken = calls.order({
    request: /^read\(.*"POST \/api\/contact/,
    ...steps,
    answered: /^writev?\(.*HTTP\/1\.1 201/,
  });
  return taken.slice(taken.indexOf('request'), taken.indexOf('answered') + 1);
}

test('order of writes on SQLite: the WAL is synced before the answer is sent', async () => {
  const steps = await stepsOf(sqlite, {
    written: /^pwrite64\(.*-wal>/,
    synced: /^f(data)?sync\(.*-wal>.* = 0$/,
  });
  // After a reset, SQLite syncs the WAL header before it writes frames, so `synced` may occur twice.
  assert.deepEqual([...new Set(steps)], ['request', 'written', 'synced', 'answered']);
  assert.deepEqual(steps.slice(-3), ['written', 'synced', 'answered']);
});

test(
  'order of writes on PostgreSQL: the commit is confirmed before the answer is sent',
  postgres.options,
  async () => {
    const steps = await stepsOf(postgres, {
      // The start of the statement in `postgres-access.ts`.
      insert: /^writev?\(.*with claims/,
      // The end of PostgreSQL's answer to a statement outside a transaction (`ReadyForQuery` with status `I`).
      confirmed: /^read\(.*SELECT 1\\0Z\\0\\0\\0\\5I/,
    });
    assert.deepEqual(steps, ['request', 'insert', 'confirmed', 'answered']);
  },
);
