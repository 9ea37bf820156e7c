import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchSystemCalls } from '../../testing/durability/system-calls.ts';
import { statusOfLead } from '../../testing/send-lead.ts';
import { startService } from '../../testing/service-process.ts';
import { sqlite } from '../../testing/test-databases.ts';

test('mail files: file and name are synced before a mail counts as delivered', async () => {
  await using database = await sqlite.create();
  using calls = watchSystemCalls();
  await using service = startService(database.environment, calls.command);
  await statusOfLead({ url: await service.url() });
  await service.line('delivery delivered');
  // A signal would reach only the tracer, so the test closes the IPC channel.
  service.child.disconnect();
  await service.exit;

  const taken = calls.order({
    written: /^write\(.*mails\/[\w-]+\.eml>/,
    synced: /^fsync\(.*mails\/[\w-]+\.eml>.* = 0$/,
    'name synced': /^fsync\(.*mails>.* = 0$/,
  });
  assert.deepEqual(taken, ['written', 'synced', 'name synced']);
});
