import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { KyselyPlugin } from 'kysely';
import { connect } from '../database/database.ts';
import { noopLog } from '../platform/log.ts';
import { storeLead, suspicious } from '../testing/store-lead.ts';
import { onEachDatabase, sqlite, type TestDatabase } from '../testing/test-databases.ts';
import { holdLead } from './change-leads.ts';
import { eraseLeadsOf } from './erase-leads.ts';
import { exportStream } from './export-formats.ts';
import { importLeads } from './import-leads.ts';
import { parseLeadFilter } from './lead-filter.ts';
import { readAllLeads } from './read-leads.ts';

/** As the first version wrote it, so a field that a later version adds is not in it. */
const firstBackup = `{"id":"01a21581-cef8-7000-88ed-0ed6a524bd21","type":"contact","name":"Ada Lovelace","email":"ada@example.com",
  "company":null,"message":"Please show me how templates work.","receivedAt":"2026-11-21T12:58:34.802Z","attribution":{},
  "releaseId":null,"spamScore":0,"spamReasons":[],"quarantinedAt":null,"pendingDeliveries":1}`;

async function exportLines({ admin }: Pick<TestDatabase, 'admin'>): Promise<string[]> {
  const leads = readAllLeads(admin, parseLeadFilter({}, 'with'));
  return (await text(exportStream(leads, 'jsonl'))).trimEnd().split('\n');
}

onEachDatabase('import', (test, kind) => {
  test('stores each exported lead once, and plans the deliveries of held and pending ones', async (database) => {
    await using source = await sqlite.open();
    const lead = await storeLead(source, { name: 'Łukasz "Żółć"\n;=1' });
    const held = await storeLead(source, { classification: suspicious });
    const pending = await storeLead(source);
    // Marked as spam only after its deliveries were made.
    const late = await storeLead(source);
    const delivered = [lead.id, late.id];
    await source.db.updateTable('outbox').set({ state: 'done' }).where('leadId', 'in', delivered).execute();
    await holdLead(source.admin, late.id);
    const lines = await exportLines(source);

    const there = await storeLead(database);
    const none = { total: 4, imported: 0, erased: 0, planned: 0 };
    const first = await importLeads(database.admin, [...lines, ...lines], ['crm']);
    assert.deepEqual(first, { total: 8, imported: 4, erased: 0, planned: 4 });
    assert.deepEqual(await importLeads(database.admin, lines, ['crm']), none);

    const others = (await database.leads()).filter(({ id }) => id !== there.id);
    assert.deepEqual(others, await source.leads());
    const outbox = (await database.rows('outbox')).filter(({ leadId }) => leadId !== there.id);
    const planned = outbox.map((delivery) => [delivery.leadId, delivery.kind, delivery.state]);
    assert.deepEqual(planned, [
      [held.id, 'sales-mail', 'held'],
      [held.id, 'webhook', 'held'],
      [pending.id, 'sales-mail', 'pending'],
      [pending.id, 'webhook', 'pending'],
    ]);
  });

  test('stores and plans each lead once if two commands import one file at a time', async (database) => {
    const lines = Array.from({ length: 300 }, () => firstBackup.replace(/(?<="id":")[^"]+/, randomUUID()));
    await using other = connect(database.location, noopLog);
    const importInto = (admin: TestDatabase['admin']) => importLeads(admin, lines, []);
    const [one, two] = await Promise.all([
      importInto(database.admin),
      importInto({ ...database.admin, database: { ...database, ...other } }),
    ]);
    assert.deepEqual([one.imported + two.imported, one.planned + two.planned], [300, 300]);
  });

  test('stores as many leads as a batch has, and accepts a file without leads', async (database) => {
    await using source = await sqlite.open();
    await storeLead(source);
    const [line = ''] = await exportLines(source);
    const lines = Array.from({ length: 100 }, () => line.replace(/(?<="id":")[^"]+/, randomUUID()));
    assert.equal((await importLeads(database.admin, lines, [])).imported, 100);
    assert.equal((await importLeads(database.admin, [], [])).total, 0);
  });

  test('reads a backup of the first version, also of a lead in quarantine', async (database) => {
    const held = firstBackup
      .replace(
        '"quarantinedAt":null,"pendingDeliveries":1',
        '"quarantinedAt":"2026-11-21T12:58:34.802Z","pendingDeliveries":0',
      )
      .replace('bd21', 'bd22');
    const { imported, planned } = await importLeads(database.admin, [firstBackup, held], []);
    assert.deepEqual([imported, planned], [2, 2]);
  });

  test('plans the deliveries of a lead that becomes spam during the export', async (database) => {
    const { id } = await storeLead(database);
    await using other = connect(database.location, noopLog);
    /** Puts the lead into quarantine after the first query that reads it. */
    const marking: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => row['id'] === id))
          await holdLead({ ...database.admin, database: other }, id);
        return result;
      },
    };
    const lines = await exportLines({
      admin: { ...database.admin, database: { ...database, db: database.db.withPlugin(marking) } },
    });
    await using target = await kind.open();
    assert.equal((await importLeads(target.admin, lines, [])).planned, 1);
  });

  test('leaves out people who were erased after the backup', async (database) => {
    const { email } = await storeLead(database, { email: 'grace@example.com' });
    await storeLead(database);
    const lines = await exportLines(database);
    await eraseLeadsOf(database.admin, email);
    const { imported, erased } = await importLeads(database.admin, lines, []);
    assert.deepEqual([imported, erased, (await database.leads()).length], [0, 1, 1]);
  });

  test('refuses a file with another line, and imports nothing', async (database) => {
    await storeLead(database);
    const lines = await exportLines(database);
    await using target = await kind.open();
    const broken = [...lines, '{"id":1}'];
    await assert.rejects(importLeads(target.admin, broken, []), /^Refusal: Line 2 is no lead\./);
    assert.deepEqual(await target.leads(), []);
  });
});
