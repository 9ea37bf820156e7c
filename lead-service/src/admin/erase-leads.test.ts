import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql, type Transaction } from 'kysely';
import { idempotencyOfItself } from '../database/insert-leads.ts';
import type { LeadRow, Tables } from '../database/tables.ts';
import { moveLeads } from '../lead-store/spool-mover.ts';
import { openSpool } from '../lead-store/spool.ts';
import { noopLog } from '../platform/log.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';
import { storeLead, suspicious } from '../testing/store-lead.ts';
import { onEachDatabase, type TestDatabase, postgres, sqlite } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { eraseLeadsOf } from './erase-leads.ts';

const email = 'Grace@Example.com';
const typed = {
  name: 'Grace Hopper',
  email,
  company: 'Compilers',
  message: 'A message that must not be found.',
};

onEachDatabase('erasure', (test) => {
  test('deletes the leads of an address with all rows and files; others stay', async (database) => {
    const mine = await storeLead(database, typed);
    await storeLead(database, { ...typed, email: email.toLowerCase(), classification: suspicious });
    const other = await storeLead(database);
    const outboxId = await addAttempt(database, mine);
    await addAttempt(database, other);
    const mails = join(database.dataDirectory, 'mails');
    mkdirSync(mails);
    for (const id of [outboxId, other.id]) writeFileSync(join(mails, `${id}.eml`), 'To: a sender');

    assert.equal(await eraseLeadsOf(database.admin, ' mailto:grace@example.com'), 2);

    assert.deepEqual(await database.leadIds(), [other.id]);
    for (const table of ['outbox', 'idempotencyRecords'] as const) {
      const leadIds = (await database.rows(table)).map(({ leadId }) => leadId);
      assert.deepEqual([...new Set(leadIds)], [other.id]);
    }
    assert.equal((await database.rows('deliveryAttempts')).length, 1);
    assert.deepEqual(readdirSync(mails), [`${other.id}.eml`]);
  });

  test('says which mail file cannot be removed, and keeps its lead', async (database) => {
    const { id } = await storeLead(database, typed);
    writeFileSync(join(database.dataDirectory, 'mails'), 'a file in place of the folder');
    await assert.rejects(eraseLeadsOf(database.admin, email), /^StartupError: Cannot remove .*eml \(ENOTDIR/);
    assert.deepEqual(await database.leadIds(), [id]);
  });

  test('deletes many leads in batches', async (database) => {
    for (let index = 0; index < 450; index += 1) await storeLead(database, typed);
    assert.equal(await eraseLeadsOf(database.admin, email), 450);
    assert.deepEqual(await database.leads(), []);
  });

  test('deletes from the database also while the log of the spool is read', async (database) => {
    await using spool = await openSpool(database.dataDirectory, noopLog);
    await storeLead(database, typed);
    const access = { ...spool.access, scrub: () => Promise.reject(new Error('it is read')) };
    await assert.rejects(
      eraseLeadsOf({ ...database.admin, spool: { ...spool, access } }, email),
      /it is read/,
    );
    assert.deepEqual(await database.leads(), []);
  });

  test('drops the leads in the spool of this machine at once', async (database) => {
    await using spool = await openSpool(database.dataDirectory, noopLog);
    await storeLead(spool, typed);
    const other = await storeLead(spool);
    assert.equal(await eraseLeadsOf({ ...database.admin, spool }, email.toLowerCase()), 1);
    assert.deepEqual(
      (await spool.oldest(10)).map(({ lead }) => lead.id),
      [other.id],
    );
  });
});

/**
 * Erases while another transaction runs: after its `before`, and during its `meanwhile`, which begins when the erasure waits for a lock of
 * the transaction. Returns the number of erased leads.
 */
async function eraseDuring(
  { db, admin }: TestDatabase,
  before: (transaction: Transaction<Tables>) => Promise<unknown>,
  meanwhile: (transaction: Transaction<Tables>) => unknown,
): Promise<number> {
  const waiting = sql`select from pg_locks where not granted and pid in
    (select pid from pg_stat_activity where datname = current_database())`;
  const { erasing } = await db.transaction().execute(async (transaction) => {
    await before(transaction);
    const erased = eraseLeadsOf(admin, email);
    await Promise.race([erased, until(async () => (await waiting.execute(db)).rows.length)]);
    await meanwhile(transaction);
    return { erasing: erased };
  });
  return erasing;
}

test('erasure: waits for a change of a lead, and erases it then', postgres.options, async () => {
  await using database = await postgres.open();
  await storeLead(database, typed);
  const change = (transaction: Transaction<Tables>) =>
    transaction.updateTable('leads').set({ quarantinedAt: null }).execute();
  assert.equal(await eraseDuring(database, change, () => undefined), 1);
  assert.deepEqual(await database.leads(), []);
});

test('erasure: waits for an attempt that is recorded, and deletes it', postgres.options, async () => {
  await using database = await postgres.open();
  const lead = await storeLead(database, typed);
  const lock = (transaction: Transaction<Tables>) =>
    transaction.selectFrom('outbox').select('id').forUpdate().execute();
  const record = (transaction: Transaction<Tables>) => addAttempt({ ...database, db: transaction }, lead);
  assert.equal(await eraseDuring(database, lock, record), 1);
  assert.deepEqual(await database.rows('deliveryAttempts'), []);
});

test('erasure: removes a mail that a delivery writes meanwhile', postgres.options, async () => {
  await using database = await postgres.open();
  const lead = await storeLead(database, typed);
  const [{ id } = assert.fail()] = await database.rows('outbox', { leadId: lead.id });
  const mails = join(database.dataDirectory, 'mails');
  mkdirSync(mails);
  const write = () => writeFileSync(join(mails, `${id}.eml`), 'To: a sender');
  write();
  const lock = (transaction: Transaction<Tables>) =>
    sql`lock table delivery_attempts in access exclusive mode`.execute(transaction);
  const rewrite = () => {
    assert.deepEqual(readdirSync(mails), []);
    write();
  };
  assert.equal(await eraseDuring(database, lock, rewrite), 1);
  assert.deepEqual(readdirSync(mails), []);
});

test(
  'erasure: after an interrupted one, a spool still drops the leads from before it',
  postgres.options,
  async () => {
    await using database = await postgres.open();
    await using source = await sqlite.open();
    await using spool = await openSpool(join(source.dataDirectory, 'elsewhere'), noopLog);
    await storeLead(database, typed);
    const lead = await storeLead(source, typed);
    await spool.add([{ lead, idempotency: idempotencyOfItself(lead), outbox: [] }]);

    // The erasure is recorded, but the lead in the database stays, because it is locked.
    await assert.rejects(database.whileLocked(() => eraseLeadsOf(database.admin, email)));
    await moveLeads(await spool.oldest(10), spool, database);
    assert.equal((await database.leads()).length, 1);
    assert.equal(await eraseLeadsOf(database.admin, email), 1);
  },
);

test('erasure: SQLite files contain no byte of the person while they are open', async () => {
  await using database = await sqlite.open();
  // Long texts and neighbouring rows, so that SQLite shares and splits pages.
  for (let index = 0; index < 40; index += 1) {
    await addAttempt(
      database,
      await storeLead(database, { ...typed, message: `${typed.message} `.repeat(1 + index * 8) }),
    );
    await storeLead(database);
  }
  assert.ok(filesWithTraces(database.dataDirectory).length > 0);
  assert.equal(await eraseLeadsOf(database.admin, email), 40);
  assert.deepEqual(filesWithTraces(database.dataDirectory), []);
});

function filesWithTraces(directory: string): string[] {
  return readdirSync(directory).filter((file) => {
    const bytes = readFileSync(join(directory, file), 'latin1').toLowerCase();
    return Object.values(typed).some((secret) => bytes.includes(secret.toLowerCase()));
  });
}

/** Adds a refused attempt of the first delivery of a lead. Returns the delivery's id. */
async function addAttempt(database: TestDatabase, lead: LeadRow): Promise<string> {
  const [{ id: outboxId } = assert.fail()] = await database.rows('outbox', { leadId: lead.id });
  const attempt = {
    ...{ id: uuidV7(Date.now()), outboxId, number: 1, startedAt: lead.receivedAt, latencyMs: 3 },
    ...{ outcome: 'failed' as const, status: 550, answer: `550 <${lead.email}>: unknown user` },
  };
  await database.db.insertInto('deliveryAttempts').values(attempt).execute();
  return outboxId;
}
