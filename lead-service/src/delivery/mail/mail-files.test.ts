import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchSystemCalls } from '../../testing/durability/system-calls.ts';
import { sampleLead } from '../../testing/sample-lead.ts';
import { startService } from '../../testing/service-process.ts';
import { createSqlite } from '../../testing/test-databases.ts';

test('mail files: file and name are synced before a mail counts as delivered', async () => {
  await using database = await createSqlite();
  using calls = watchSystemCalls();
  await using service = startService(database.environment, calls.command);
  const url = await service.url();
  const body = JSON.stringify(sampleLead);
  const headers = { 'content-type': 'application/json' };
  await (await fetch(`${url}/api/demo`, { method: 'POST', headers, body })).text();
  await service.line('delivery delivered');
  // A signal would reach only the tracer, so the test closes the IPC channel.
  service.child.disconnect();
  await service.exit;

  const taken = calls.order({
    written: /^write\(.*mails\/[\w-]+\.tmp>/,
    synced: /^fsync\(.*mails\/[\w-]+\.tmp>.* = 0$/,
    named: /^rename\(.*mails\/[\w-]+\.eml"/,
    'name synced': /^fsync\(.*mails>.* = 0$/,
  });
  // The steps of the two mails may alternate.
  assert.deepEqual([...new Set(taken)], ['written', 'synced', 'named', 'name synced']);
  assert.equal(taken.at(-1), 'name synced');
});
