import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { addressHash } from '../address-hash.ts';
import { silentLog } from '../sales/silent-log.ts';
import { setSuppressed } from '../sales/suppress.ts';
import { idempotencyOfItself } from '../store/idempotency-record.ts';
import { moveLeads } from '../store/move-leads.ts';
import { openSpool } from '../store/spool.ts';
import type { LeadRow } from '../store/tables.ts';
import { uuidV7 } from '../uuid-v7.ts';
import { openTestDatabase, storeLead, suspicious, type OpenedDatabase } from '../testing/desk-database.ts';
import { runLeads } from '../testing/leads-command.ts';
import { createSqlite, databaseKinds } from '../testing/test-databases.ts';
import { erasePerson } from './erase-person.ts';

const email = 'Grace@Example.com';
const typed = {
  name: 'Grace Hopper',
  email,
  company: 'Compilers',
  message: 'A message that nobody may find.',
};

for (const kind of databaseKinds) {
  describe(`erasing a person on ${kind.name}`, () => {
    test('empties the leads, and all that is around them, and leaves the counts and other people alone', async () => {
      await using database = await kind.create();
      await using desk = await openTestDatabase(database);
      const mine = await storeLead(desk, { ...typed, status: 'won', releaseId: 'r1' });
      await storeLead(desk, { ...typed, email: email.toLowerCase(), verdict: suspicious });
      const other = await storeLead(desk);
      const outboxId = await addTraces(desk, mine);
      const mails = join(database.dataDirectory, 'mails');
      mkdirSync(mails);
      for (const id of [outboxId, other.id]) writeFileSync(join(mails, `${id}.eml`), 'To: somebody');
      await setSuppressed({ database: desk, dataDirectory: '', actor: 'test' }, email, true);
      const actions = () => desk.db.selectFrom('auditEntries').select('action').orderBy('id').execute();
      const before = (await actions()).length;

      const { code, stdout } = await runLeads(database.environment, ['erase', '-', '--yes'], {
        input: email,
      });

      assert.deepEqual([code, stdout], [0, '2 leads erased.\n']);
      const [erased, , untouched] = await desk.db.selectFrom('leads').selectAll().orderBy('id').execute();
      const { erasedAt = null, ...rest } = erased ?? {};
      assert.ok(erasedAt !== null);
      assert.deepEqual(rest, {
        ...{ id: mine.id, type: mine.type, receivedAt: mine.receivedAt, status: 'won', releaseId: 'r1' },
        ...{ name: '', email: '', company: null, message: '', attribution: '{}' },
        ...{ spamScore: 0, spamReasons: '[]', quarantinedAt: null },
      });
      assert.equal(untouched?.name, other.name);
      const states = await desk.db.selectFrom('outbox').select(['leadId', 'state']).execute();
      for (const { leadId, state } of states)
        assert.equal(state, leadId === other.id ? 'pending' : 'skipped');
      assert.equal(states.length, 9);
      const [attempt] = await desk.db.selectFrom('deliveryAttempts').selectAll().execute();
      assert.deepEqual([attempt?.answer, attempt?.status], ['', 550]);
      const records = await desk.db.selectFrom('idempotencyRecords').select('leadId').execute();
      assert.deepEqual(records, [{ leadId: other.id }]);
      assert.deepEqual(await desk.db.selectFrom('confirmationDays').selectAll().execute(), []);
      assert.equal((await desk.db.selectFrom('suppressedAddresses').selectAll().execute()).length, 1);
      assert.deepEqual(readdirSync(mails), [`${other.id}.eml`]);
      assert.deepEqual(
        (await actions()).slice(before).map(({ action }) => action),
        ['person.erase', 'lead.erase', 'lead.erase'],
      );
    });

    test('also reaches leads that wait in a spool: this machine’s at once, those of others when they arrive', async () => {
      await using database = await kind.create();
      await using desk = await openTestDatabase(database);
      const spool = await openSpool(database.dataDirectory, silentLog);
      const elsewhere = await openSpool(join(database.dataDirectory, 'elsewhere'), silentLog);
      try {
        for (const { add } of [spool, elsewhere]) {
          await using source = await createSqlite();
          await using sourceDesk = await openTestDatabase(source);
          const lead = await storeLead(sourceDesk, typed);
          const [record] = await sourceDesk.db.selectFrom('idempotencyRecords').selectAll().execute();
          const outbox = await sourceDesk.db.selectFrom('outbox').selectAll().execute();
          await add([{ lead, idempotency: record ?? assert.fail(), outbox }]);
        }

        const held = await runLeads(database.environment, ['export', '--email', email]);
        assert.equal(JSON.parse(held.stdout).spooled[0].message, typed.message);
        const exported = desk.db
          .selectFrom('auditEntries')
          .select('leadId')
          .where('action', '=', 'lead.export');
        assert.deepEqual(await exported.execute(), [{ leadId: JSON.parse(held.stdout).spooled[0].id }]);
        const { stdout } = await runLeads(database.environment, ['erase', email, '--yes', '--json']);
        assert.deepEqual(JSON.parse(stdout), { leads: 0, spooled: 1 });

        assert.equal(await spool.depth(), 0);
        await moveLeads(await elsewhere.oldest(10, []), elsewhere, desk);
        assert.equal(await elsewhere.depth(), 0);
        assert.deepEqual(await desk.db.selectFrom('leads').selectAll().execute(), []);
      } finally {
        await spool.close();
        await elsewhere.close();
      }
    });

    test('is preceded by all that is held, if the person asks for it', async () => {
      await using database = await kind.create();
      await using desk = await openTestDatabase(database);
      const lead = await storeLead(desk, typed);
      await storeLead(desk);
      await addTraces(desk, lead);

      const { stdout } = await runLeads(database.environment, ['export', '--email', email.toUpperCase()]);

      const person = JSON.parse(stdout);
      assert.deepEqual(
        person.leads.map(({ message }: LeadRow) => message),
        [typed.message],
      );
      const { deliveries, attempts, idempotencyRecords, confirmations, suppression, erasure } = person;
      assert.deepEqual(
        [deliveries.length, attempts.length, idempotencyRecords.length, confirmations.length],
        [3, 1, 1, 1],
      );
      assert.deepEqual([suppression, erasure], [null, null]);
    });
  });
}

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  test(`an erasure that breaks off is known already, and what arrives from a spool is dropped, on ${kind.name}`, async () => {
    await using database = await kind.create();
    await using desk = await openTestDatabase(database);
    await using source = await createSqlite();
    await using sourceDesk = await openTestDatabase(source);
    const spool = await openSpool(join(source.dataDirectory, 'elsewhere'), silentLog);
    try {
      await storeLead(desk, typed);
      const lead = await storeLead(sourceDesk, typed);
      await spool.add([{ lead, idempotency: idempotencyOfItself(lead), outbox: [] }]);
      const parts = { database: desk, dataDirectory: database.dataDirectory, actor: 'test' };
      const erase = () => erasePerson(parts, email);

      await assert.rejects(database.whileLocked(erase));
      await moveLeads(await spool.oldest(10, []), spool, desk);
      assert.equal(await spool.depth(), 0);
      const names = () => desk.db.selectFrom('leads').select('name').execute();
      assert.deepEqual(await names(), [{ name: typed.name }]);

      assert.deepEqual(await erase(), { leads: 1, spooled: 0 });
      assert.deepEqual(await names(), [{ name: '' }]);
    } finally {
      await spool.close();
    }
  });
}

test('no byte of an erased person is left in the files of SQLite, while the service has them open', async () => {
  await using database = await createSqlite();
  await using desk = await openTestDatabase(database);
  // Long enough for pages of its own, and with neighbours, so that pages are shared and split.
  for (let index = 0; index < 40; index += 1) {
    const lead = await storeLead(desk, { ...typed, message: `${typed.message} `.repeat(1 + index * 8) });
    await addTraces(desk, lead);
    await storeLead(desk);
  }
  assert.ok(traces(database.dataDirectory).length > 0);

  const { code } = await runLeads(database.environment, ['erase', email, '--yes']);

  assert.equal(code, 0);
  assert.deepEqual(traces(database.dataDirectory), []);
});

/** Files that hold something of the person. */
function traces(directory: string): string[] {
  const secrets = Object.values(typed);
  return readdirSync(directory).filter((file) => {
    const bytes = readFileSync(join(directory, file), 'latin1').toLowerCase();
    return secrets.some((secret) => bytes.includes(secret.toLowerCase()));
  });
}

/** What a refused delivery leaves behind. Returns the id of the delivery. */
async function addTraces({ db }: OpenedDatabase, lead: LeadRow): Promise<string> {
  const { id } = await db
    .selectFrom('outbox')
    .select('id')
    .where('leadId', '=', lead.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('deliveryAttempts')
    .values({
      ...{ id: uuidV7(Date.now()), outboxId: id, number: 1, startedAt: lead.receivedAt, latencyMs: 3 },
      ...{ outcome: 'failed', status: 550, answer: `550 <${lead.email}>: unknown user` },
    })
    .execute();
  await db
    .insertInto('confirmationDays')
    .values({ addressHash: addressHash(lead.email), day: '2026-11-21', outboxId: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}
