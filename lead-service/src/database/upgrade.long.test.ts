import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sendLead } from '../testing/send-lead.ts';
import { serveDelivery } from '../testing/served-delivery.ts';
import { startService } from '../testing/service-process.ts';
import { openSharedStores } from '../testing/shared-stores.ts';
import { acceptedLead } from '../testing/store-lead.ts';
import { databaseKinds, postgres } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { openDatabase, openForCommand } from './database.ts';
import { accessDatabase } from './dialects.ts';
import { migrate } from './migrate.ts';
import { migrations, type SchemaStep } from './migrations/migrations.ts';

const log = createMemoryLog();
const names = Object.keys(migrations);
const newest = names.at(-1) ?? assert.fail();

/** A later version's migration that this code can live with, and one that it cannot. */
const addNotes: SchemaStep = {
  readableBy: newest,
  up: (db) => db.schema.alterTable('leads').addColumn('note', 'text').execute(),
};
const renameMessage: SchemaStep = {
  up: (db) => db.schema.alterTable('leads').renameColumn('message', 'body').execute(),
};
const noted = { ...migrations, '998-add-notes': addNotes };

const leadId = '01a1fe2f-e7b2-7000-970d-962212481ba7';
const deliveryId = '01a1fe2f-e7b2-7001-970d-962212481ba7';
const at = '2026-11-21T12:58:34.802Z';

/** Rows as the version with these migrations wrote them. */
function rowsOfVersion(count: number): string {
  const lead = `insert into leads (id, type, name, email, company, message, received_at)
    values ('${leadId}', 'demo', 'Łukasz Żółć', 'old@example.com', null, 'Stored by an old version.', '${at}');`;
  const later = `update leads set status = 'qualified', spam_score = 4, spam_reasons = '["1 link in the message"]';
    insert into idempotency_records (key, fingerprint, lead_id, answer_status, created_at, expires_at)
      values ('key:old', 'print', '${leadId}', 201, '${at}', '9999-01-01T00:00:00.000Z');
    insert into outbox (id, lead_id, kind, target, state, attempts, next_attempt_at, created_at)
      values ('${deliveryId}', '${leadId}', 'webhook', 'crm', 'pending', 2, '${at}', '${at}');
    insert into delivery_attempts (id, outbox_id, number, started_at, latency_ms, outcome, status, answer)
      values ('attempt', '${deliveryId}', 1, '${at}', 12, 'failed', 500, 'status 500')`;
  return count === 1 ? lead : lead + later;
}

for (const kind of databaseKinds) {
  // Concurrent, because these tests mostly wait.
  describe(`upgrade on ${kind.name}`, { ...kind.options, concurrency: true }, () => {
    for (const [index, version] of names.slice(0, -1).entries()) {
      test(`the leads and deliveries of schema ${version} are kept and made`, async () => {
        await using database = await kind.create();
        const older = Object.fromEntries(Object.entries(migrations).slice(0, index + 1));
        await migrate(accessDatabase(database.location, log), older);
        await database.execute(rowsOfVersion(index + 1));

        await using service = await serveDelivery(database, { webhook: true });
        const added = await service.lead();
        const leads = await service.stores.database.db
          .selectFrom('leads')
          .select(['id', 'name', 'message', 'status', 'attribution', 'erasedAt'])
          .orderBy('receivedAt')
          .execute();
        assert.deepEqual(leads[0], {
          ...{ id: leadId, name: 'Łukasz Żółć', message: 'Stored by an old version.' },
          ...{ status: index === 0 ? 'new' : 'qualified', attribution: '{}', erasedAt: null },
        });
        assert.deepEqual(
          leads.map(({ id }) => id),
          [leadId, added],
        );
        const due = index === 0 ? 1 : 2;
        await until(() => service.receiver.received.length >= due);
        assert.equal(
          service.receiver.received.some(({ id }) => id === deliveryId),
          due === 2,
        );
        if (index === 0) return;
        const repeated = acceptedLead('Sent again.', 'old');
        const idempotency = { ...repeated.idempotency, key: 'key:old', fingerprint: 'print', createdAt: at };
        assert.deepEqual(await service.stores.leads.add({ ...repeated, idempotency }), {
          ...{ kind: 'repeated', leadId, answerStatus: 201 },
        });
      });
    }

    test('a running version goes on and starts again after a migration that is marked readable by it', async () => {
      await using database = await kind.create();
      const access = accessDatabase(database.location, log);
      {
        await using running = startService(database.environment);
        await post(await running.url(), 'Before the migration.');
        await migrate(access, noted);
        await post(await running.url(), 'Beside the newer version.');
      }
      await using restarted = startService(database.environment);
      await post(await restarted.url(), 'After the return.');
      await migrate(access, noted);
      const command = await openForCommand(database.location, log);
      const { rows } = await sql<{
        message: string;
        note: null;
      }>`select message, note from leads order by id`.execute(command.db);
      await command.close();
      assert.deepEqual(
        rows.map(({ message, note }) => [message, note]),
        [
          ['Before the migration.', null],
          ['Beside the newer version.', null],
          ['After the return.', null],
        ],
      );
    });

    test('an older version refuses a migration that is not marked, and one marked for a version in between', async () => {
      for (const newer of [
        { ...migrations, '999-unmarked': { up: addNotes.up } },
        { ...noted, '999-marked': { ...renameMessage, readableBy: '998-add-notes' } },
      ]) {
        await using database = await kind.create();
        const access = accessDatabase(database.location, log);
        await migrate(access, newer);
        await assert.rejects(
          openDatabase(database.location, log),
          /was written by another version \(it has the migration .*999-\w+\)\. Start that version or a newer one\.$/,
        );
        await assert.rejects(openForCommand(database.location, log), /is newer than this command/);
        await migrate(access, newer);
      }
    });
  });
}

test(
  'upgrade: leads in a spool wait while the database is too new, and the log has the reason',
  postgres.options,
  async () => {
    await using shared = await openSharedStores('refusing');
    assert.equal((await shared.stores.leads.add(acceptedLead('Meanwhile.', 'a'))).kind, 'spooled');
    await migrate(accessDatabase(shared.database.location, log), {
      ...noted,
      '999-rename-message': renameMessage,
    });
    shared.proxy.setMode('pass');
    await shared.line('leads stay in the spool');
    assert.match(shared.lines.join('\n'), /leads stay in the spool .*999-rename-message.*Start that version/);
    assert.equal(await shared.stores.spool?.depth(), 1);
  },
);

async function post(url: string, message: string): Promise<void> {
  assert.equal((await sendLead({ url }, { message })).status, 201);
}
