import assert from 'node:assert/strict';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { acceptLeads } from '../../database/accept-leads.ts';
import { openDatabase, openForCommand } from '../../database/database.ts';
import { accessDatabase } from '../../database/dialects.ts';
import { schemaAge } from '../../database/migrate.ts';
import { migrations } from '../../database/migrations/migrations.ts';
import type { MoveRow } from '../../database/tables.ts';
import { addressHash } from '../../platform/address-hash.ts';
import { noopLog } from '../../platform/log.ts';
import { runLeads } from '../../testing/service-process.ts';
import { acceptedLead, storeLead, suspicious } from '../../testing/store-lead.ts';
import { postgres, sqlite, type OpenedDatabase } from '../../testing/test-databases.ts';
import { erasePerson } from '../erase-person.ts';
import { setSuppressed } from '../suppress.ts';
import { moveToPostgres } from './move-to-postgres.ts';
import { tableMoves, type TableName } from './table-moves.ts';

const at = '2026-11-21T12:58:34.802Z';
const report = { beganAt: at, releaseId: 'r-1', part: 'page', version: '1', visitors: 'stable' } as const;
const none: MoveRow = {
  ...{ id: 'other', target: 'elsewhere', beganAt: at, step: 'done', lastKey: null, merged: '[]' },
  finishedAt: at,
};

/** Moves an SQLite database, as the command does when the service has stopped. */
async function move(from: OpenedDatabase, to: OpenedDatabase) {
  const lines: string[] = [];
  const context = { database: to, dataDirectory: from.dataDirectory, actor: 'test' };
  const result = await moveToPostgres(context, (line) => lines.push(line));
  return { ...result, lines };
}

function inOrder(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

async function contentOf(database: OpenedDatabase): Promise<Record<string, readonly string[]>> {
  const content: Record<string, readonly string[]> = {};
  for (const table of Object.keys(tableMoves) as TableName[]) {
    if (tableMoves[table].step !== 'never') content[table] = inOrder(await database.rows(table));
  }
  return content;
}

/** Fills every table, with more leads than one transaction copies. */
async function fill(database: OpenedDatabase): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    const { id } = await storeLead(database, {
      email: `ada${count}@example.com`,
      name: 'Łukasz\u2028"Żółć\\',
    });
    await storeLead(database, { classification: suspicious, company: null });
    const [delivery] = await database.rows('outbox', { leadId: id, kind: 'webhook' });
    await database.insert('deliveryAttempts', {
      ...{ id: `attempt-${count}`, outboxId: delivery?.id ?? '', number: 1, startedAt: at, latencyMs: 12 },
      ...{ outcome: 'failed', status: null, answer: 'connect ECONNREFUSED' },
    });
    await database.update('outbox', { leasedUntil: '2999-01-01T00:00:00.000Z' }, { id: delivery?.id ?? '' });
    await database.insert('auditedLeads', { leadId: id, entryId: `entry-${count}` });
    await database.insert('auditEntries', {
      ...{ id: `entry-${count}`, at, actor: 'ada', action: 'lead.list', leadId: null, details: '{}' },
    });
    await database.insert('auditEntries', {
      ...{ id: `change-${count}`, at, actor: 'ada', action: 'lead.set-status', leadId: id, details: '{}' },
    });
  }
  await database.execute(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1100)
     insert into leads (id, type, name, email, message, received_at)
       select printf('0000-%05d', n), 'demo', 'Many', 'many' || n || '@example.com', 'Many.', '${at}' from numbers`,
  );
  await setSuppressed(database.admin, 'grace@example.com', true);
  await erasePerson(database.admin, 'ada0@example.com');
  await database.insert('confirmationDays', { addressHash: 'a', day: '2026-11-21', outboxId: 'x' });
  await database.insert('endedSessions', { id: 'ended', expiresAt: at });
  await database.insert('jobRuns', { job: 'retention', ranAt: at });
  await database.insert('pageReports', { ...report, measure: 'views', count: 7 });
}

describe('move to PostgreSQL', postgres.options, () => {
  test('copies every row of every table as it is, and retires the file', async () => {
    await using from = await sqlite.open();
    await using to = await postgres.open();
    await fill(from);
    const before = await contentOf(from);
    for (const [table, rows] of Object.entries(before)) assert.ok(rows.length > 0, `${table} is empty`);
    // As the version before left it.
    await from.execute(`drop table moves; delete from migration_readers where name = '008-note-moves';
      delete from kysely_migration where name = '008-note-moves'`);
    await from.close();

    const { moved, merged, backup, lines } = await move(from, to);
    const after = await contentOf(to);
    const own = after['auditEntries']?.filter((entry) => entry.includes('lead.move')) ?? [];
    assert.match(own.join(), /\[\\?"details\\?",.*1106/);
    assert.deepEqual(
      { ...after, auditEntries: after['auditEntries']?.filter((entry) => !own.includes(entry)) },
      before,
    );
    assert.deepEqual([moved.leads, moved.outbox, merged, own.length], [1106, 18, 0, 1]);
    assert.deepEqual(lines, ['Checking the file …', 'Comparing …']);

    const refused =
      /were moved to postgres:.* by "leads move-to-postgres"\. Set DATABASE_URL to that database\.$/;
    await assert.rejects(openDatabase(from.location, noopLog), refused);
    await assert.rejects(openForCommand(from.location, noopLog), refused);
    const older = Object.fromEntries(Object.entries(migrations).slice(0, -1));
    assert.equal(await schemaAge(accessDatabase(from.location, noopLog), older), 'newer');
    await assert.rejects(move(from, to), /^StartupError: Nothing is left to move/);
    assert.ok(existsSync(backup));

    // A copy that an operator puts back has the mark, and does not come to PostgreSQL a second time.
    copyFileSync(backup, join(from.dataDirectory, 'leads.sqlite'));
    await assert.rejects(openDatabase(from.location, noopLog), /are being moved to postgres:/);
    await to.update('leads', { status: 'won' });
    await move(from, to);
    assert.equal((await to.rows('leads', { status: 'won' })).length, 1106);
    assert.equal((await to.rows('pageReports'))[0]?.count, 7);
  });

  test('leaves what PostgreSQL knows better: repeated leads, erasures, counts, clocks', async () => {
    await using from = await sqlite.open();
    await using to = await postgres.open();
    const [repeated, other] = [acceptedLead('Sent again.', 'a'), acceptedLead('Another text.', 'b')];
    await acceptLeads(from, [repeated, other]);
    await acceptLeads(to, [acceptedLead('Sent again.', 'a'), acceptedLead('The key of another.', 'b')]);
    const erased = await storeLead(from, { email: 'erased@example.com', message: 'Erase me.' });
    await erasePerson(to.admin, 'erased@example.com');
    const later = await storeLead(from, { email: 'erased@example.com', message: 'Written since.' });
    for (const [database, ranAt, count] of [
      [from, '2026-11-20T00:00:00.000Z', 7],
      [to, at, 5],
    ] as const) {
      await setSuppressed(database.admin, 'grace@example.com', true);
      await database.insert('jobRuns', { job: 'retention', ranAt });
      await database.insert('pageReports', { ...report, measure: 'views', count });
      await database.insert('confirmationDays', { addressHash: 'a', day: at, outboxId: ranAt });
    }
    await from.close();

    const { merged, moved } = await move(from, to);
    assert.deepEqual([merged, moved.leads], [1, 3]);
    const leads = await to.leads();
    assert.deepEqual(
      leads.map(({ message }) => message),
      ['Another text.', 'Sent again.', 'The key of another.', '', 'Written since.'],
    );
    const [row] = await to.rows('leads', { id: erased.id });
    assert.notEqual(row?.erasedAt, null);
    const pending = await to.rows('outbox', { state: 'pending' });
    assert.ok(pending.every(({ leadId }) => leadId !== erased.id && leadId !== repeated.lead.id));
    assert.equal(pending.filter(({ leadId }) => leadId === later.id).length, 3);
    assert.equal((await to.rows('suppressedAddresses'))[0]?.addressHash, addressHash('grace@example.com'));
    const kept = {
      ran: (await to.rows('jobRuns'))[0]?.ranAt,
      count: (await to.rows('pageReports'))[0]?.count,
      confirmed: (await to.rows('confirmationDays'))[0]?.outboxId,
    };
    assert.deepEqual(kept, { ran: '2026-11-20T00:00:00.000Z', count: 12, confirmed: at });
    const [again] = await acceptLeads(to, [acceptedLead('Written since.', later.id, 'erased@example.com')]);
    assert.equal(again?.kind, 'repeated');
  });

  test('refuses what would lose or double leads, and changes nothing', async () => {
    await using from = await sqlite.open();
    await using to = await postgres.open();
    await using elsewhere = await postgres.open();
    const { id, message } = await storeLead(from);
    await from.close();
    const file = join(from.dataDirectory, 'leads.sqlite');
    copyFileSync(file, join(to.dataDirectory, 'leads.sqlite'));
    const run = (environment: Readonly<Record<string, string>>) =>
      runLeads({ ...environment, DATA_DIR: from.dataDirectory }, ['move-to-postgres']);
    const url = to.environment['DATABASE_URL'] ?? '';

    assert.match((await run({})).stderr, /^Set DATABASE_URL to the PostgreSQL database/);
    const readOnly = await run({ DATABASE_URL: `${url}?options=-cdefault_transaction_read_only%3Don` });
    assert.match(readOnly.stderr, /does not answer now \(cannot execute INSERT in a read-only transaction\)/);
    assert.equal(readOnly.code, 1);
    await assert.rejects(move(elsewhere, to), /There is no .*leads\.sqlite\. Set DATA_DIR to the folder/);
    writeFileSync(join(elsewhere.dataDirectory, 'leads.sqlite'), 'not a database '.repeat(1_000));
    await assert.rejects(move(elsewhere, to), /leads\.sqlite is not a readable database\. Move it away/);
    await (await openForCommand(from.location, noopLog)).close();

    await acceptLeads(to, [{ ...acceptedLead('Here.', 'x'), lead: { ...acceptedLead('', '').lead, id } }]);
    await assert.rejects(
      move(from, to),
      new RegExp(`has leads of .*, such as ${id}, but not from this move`),
    );
    await (await openForCommand(from.location, noopLog)).close();
    await to.execute('delete from leads');
    await to.execute(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fail before insert on outbox for each row execute function fail()`);
    await assert.rejects(move(from, to), /no/);
    await assert.rejects(
      openForCommand(from.location, noopLog),
      /are being moved to postgres:.* Set DATABASE_URL/,
    );
    await assert.rejects(move(from, elsewhere), /The move of .* has begun, and .* has no progress of it/);
    await to.insert('moves', none);
    await to.execute(`drop trigger fail on outbox;
      create function garble() returns trigger language plpgsql as $$ begin new.message := ''; return new; end $$;
      create trigger garble before insert on leads for each row execute function garble()`);
    await assert.rejects(
      move(from, to),
      new RegExp(`The row ${id} of the table leads is not in .* as it is`),
    );
    await to.update('leads', { message }, { id });
    assert.equal((await move(from, to)).moved.outbox, 3);
  });
});
