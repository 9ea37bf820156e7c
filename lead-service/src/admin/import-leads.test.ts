import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { storeLead, suspicious } from '../testing/store-lead.ts';
import { databaseKinds, sqlite, type TestDatabase } from '../testing/test-databases.ts';
import { exportStream } from './export-formats.ts';
import { importLeads } from './import-leads.ts';
import { parseLeadFilter } from './lead-filter.ts';
import { readAllLeads } from './read-leads.ts';

async function exportLines({ admin }: TestDatabase): Promise<string[]> {
  const leads = readAllLeads(admin, parseLeadFilter({}, 'with'));
  return (await text(exportStream(leads, 'jsonl'))).trimEnd().split('\n');
}

for (const kind of databaseKinds) {
  describe(`import on ${kind.name}`, kind.options, () => {
    test('stores each exported lead once, and plans the deliveries of held and pending ones', async () => {
      await using source = await sqlite.open();
      const lead = await storeLead(source, { name: 'Łukasz "Żółć"\n;=1' });
      const held = await storeLead(source, { classification: suspicious });
      const pending = await storeLead(source);
      await source.update('outbox', { state: 'done' }, { leadId: lead.id });
      const lines = await exportLines(source);

      await using database = await kind.open();
      const there = await storeLead(database);
      assert.deepEqual(await importLeads(database.admin, lines, ['crm']), { total: 3, imported: 3 });
      assert.deepEqual(await importLeads(database.admin, lines, ['crm']), { total: 3, imported: 0 });

      const leads = await database.leads();
      assert.deepEqual(
        leads.filter(({ id }) => id !== there.id),
        await source.leads(),
      );
      const planned = (await database.rows('outbox')).filter(({ leadId }) => leadId !== there.id);
      assert.deepEqual(
        planned.map(({ leadId, kind: how, state }) => [leadId, how, state]),
        [
          [held.id, 'sales-mail', 'held'],
          [held.id, 'webhook', 'held'],
          [pending.id, 'sales-mail', 'pending'],
          [pending.id, 'webhook', 'pending'],
        ],
      );
    });

    test('stores as many leads as a batch has, and accepts a file without leads', async () => {
      await using source = await sqlite.open();
      await storeLead(source);
      const [line = ''] = await exportLines(source);
      const lines = Array.from({ length: 100 }, () => line.replace(/(?<="id":")[^"]+/, randomUUID()));
      await using database = await kind.open();
      assert.deepEqual(await importLeads(database.admin, lines, []), { total: 100, imported: 100 });
      assert.deepEqual(await importLeads(database.admin, [], []), { total: 0, imported: 0 });
    });

    test('refuses a file with another line, and imports nothing', async () => {
      await using database = await kind.open();
      await storeLead(database);
      const lines = await exportLines(database);
      await using target = await kind.open();
      const broken = [...lines, '{"id":1}'];
      await assert.rejects(importLeads(target.admin, broken, []), /^Refusal: Line 2 is no lead\./);
      assert.deepEqual(await target.leads(), []);
    });
  });
}
