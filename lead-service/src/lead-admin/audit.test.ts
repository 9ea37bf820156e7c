import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLeads } from '../testing/service-process.ts';
import { storeLead } from '../testing/store-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

test('audit log: names every lead of a list, search or export', async () => {
  await using database = await sqlite.open();
  const old = await storeLead(database, { status: 'won' });
  const stored: string[] = [old.id];
  for (let index = 0; index < 220; index += 1) stored.push((await storeLead(database)).id);
  const newest = stored.at(-1) ?? '';
  const run = (...args: string[]) => runLeads(database.environment, args);

  await run('list', '--limit', '2');
  await run('search', old.id);
  await run('export');
  await run('export', '--status', 'lost');

  const entries = await database.rows('auditEntries');
  const named = entries.map(({ action, details }) => ({
    action,
    ids: JSON.parse(details).ids as string[],
  }));
  assert.deepEqual(
    named.map(({ action, ids }) => [action, ids?.length]),
    [
      ['lead.list', 2],
      ['lead.search', 1],
      ['lead.export', undefined],
      ['lead.export-page', 200],
      ['lead.export-page', 21],
      ['lead.export', undefined],
    ],
  );
  assert.deepEqual([named[0]?.ids[0], named[1]?.ids], [newest, [old.id]]);
  assert.deepEqual([...(named[3]?.ids ?? []), ...(named[4]?.ids ?? [])], stored);

  const history = async (id: string) => JSON.parse((await run('show', id, '--json')).stdout).history;
  assert.deepEqual(
    (await history(newest)).map((entry: { action: string }) => entry.action),
    ['lead.list', 'lead.export-page'],
  );
  assert.deepEqual(
    (await history(old.id)).map((entry: { action: string }) => entry.action),
    ['lead.search', 'lead.export-page'],
  );
  assert.match((await run('show', old.id)).stdout, /lead\.search[^]*lead\.export-page[^]*lead\.read/);
});
