import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { idempotencyOfItself } from '../database/idempotency-record.ts';
import type { LeadRow } from '../database/tables.ts';
import { noopLog } from '../platform/log.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';
import { moveLeads } from '../lead-store/move-leads.ts';
import { openSpool } from '../lead-store/spool.ts';
import { runLeads } from '../testing/service-process.ts';
import { suspicious, storeLead } from '../testing/store-lead.ts';
import { databaseKinds, postgres, sqlite, type OpenedDatabase } from '../testing/test-databases.ts';
import { erasePerson } from './erase-person.ts';
import { listLeads } from './list-leads.ts';

const email = 'Grace@Example.com';
const typed = {
  name: 'Grace Hopper',
  email,
  company: 'Compilers',
  message: 'A message that nobody may find.',
};

for (const kind of databaseKinds) {
  describe(`erasure of a person on ${kind.name}`, kind.options, () => {
    test('leads and related rows are emptied; statistics and other people stay', async () => {
      await using database = await kind.open();
      const mine = await storeLead(database, { ...typed, status: 'won', releaseId: 'r1' });
      await storeLead(database, { ...typed, email: email.toLowerCase(), classification: suspicious });
      const other = await storeLead(database);
      const outboxId = await addTraces(database, mine);
      const mails = join(database.dataDirectory, 'mails');
      mkdirSync(mails);
      for (const id of [outboxId, other.id]) writeFileSync(join(mails, `${id}.eml`), 'To: somebody');
      const before = (await database.rows('auditEntries')).length;

      const { code, stdout } = await runLeads(database.environment, ['erase', '-', '--yes'], {
        input: `\u202amailto:${email}\u202c`,
      });

      assert.deepEqual([code, stdout], [0, '2 leads erased.\n']);
      const [erased, , untouched] = await database.leads();
      const { erasedAt = null, ...rest } = erased ?? {};
      assert.ok(erasedAt !== null);
      assert.deepEqual(rest, {
        ...{ id: mine.id, type: mine.type, receivedAt: mine.receivedAt, status: 'won', releaseId: 'r1' },
        ...{ name: '', email: '', company: null, message: '', searchText: '', attribution: '{}' },
        ...{ spamScore: 0, spamReasons: '[]', quarantinedAt: null },
      });
      assert.equal(untouched?.name, other.name);
      const states = await database.rows('outbox');
      for (const { leadId, state } of states)
        assert.equal(state, leadId === other.id ? 'pending' : 'skipped');
      assert.equal(states.length, 6);
      const [attempt] = await database.rows('deliveryAttempts');
      assert.deepEqual([attempt?.answer, attempt?.status], ['', 550]);
      const [record, ...records] = await database.rows('idempotencyRecords');
      assert.deepEqual([record?.leadId, records], [other.id, []]);
      assert.deepEqual(readdirSync(mails), [`${other.id}.eml`]);
      const actions = (await database.rows('auditEntries')).slice(before).map(({ action }) => action);
      assert.deepEqual(actions, ['person.erase', 'lead.erase', 'lead.erase']);
    });

    test('leads of the same mailbox and leads that name the person are listed, and stay', async () => {
      await using database = await kind.open();
      await storeLead(database, { ...typed, email: 'grace.m@example.com' });
      const tagged = await storeLead(database, {
        email: 'Grace.M+news@example.com',
        classification: suspicious,
      });
      const byName = await storeLead(database, {
        message: 'My colleague GRACE HOPPER would like this, too.',
      });
      const byAddress = await storeLead(database, {
        message: 'Please write to <grace.m@example.com> instead.',
      });
      await storeLead(database, { email: 'gracexm@example.com', message: 'Grace period of another person.' });
      await storeLead(database, { email: 'grace.m+news@example.org', company: 'hopper' });

      const { leads, related } = await erasePerson(database.admin, 'Grace.M@Example.com');

      assert.equal(leads, 1);
      assert.deepEqual(related, [
        { id: tagged.id, why: 'same mailbox' },
        { id: byName.id, why: 'names the person' },
        { id: byAddress.id, why: 'names the person' },
      ]);
      const erased = (await database.leads()).filter(({ erasedAt }) => erasedAt !== null);
      assert.equal(erased.length, 1);

      const { stdout } = await runLeads(database.environment, ['erase', 'grace.m@example.com', '--yes']);
      assert.match(stdout, /^0 leads erased\.\n2 other leads may be about this person/);
      assert.match(
        stdout,
        new RegExp(`${tagged.id} {2}same mailbox\n.*${byAddress.id} {2}names the person\n$`),
      );
      const found = await runLeads(database.environment, ['search', 'grace.m@example.com', '--json']);
      assert.deepEqual(
        JSON.parse(found.stdout).leads.map(({ id }: { id: string }) => id),
        [byAddress.id, tagged.id],
      );
    });

    test('a name in another case or form is found, also beyond ASCII', async () => {
      await using database = await kind.open();
      for (const [name, spelling] of [
        ['Özlem Şahin', 'o\u0308zlem şahin'],
        ['Пётр ИВАНОВ', 'пётр иванов'],
        ['Ｊｏ Łukasz', 'jo łUKASZ'],
      ] as const) {
        const mine = await storeLead(database, { ...typed, name });
        const message = `My colleague ${spelling} would like this, too.`;
        const other = await storeLead(database, { message });
        const query = { filter: { quarantine: 'with' }, text: spelling, limit: 10 } as const;
        const { leads } = await listLeads(database.admin, query);
        assert.deepEqual(
          leads.map(({ id }) => id),
          [other.id, mine.id],
        );
        const { related } = await erasePerson(database.admin, email);
        assert.deepEqual(related, [{ id: other.id, why: 'names the person' }]);
      }
    });

    test('spooled leads are erased: local ones at once, others when they move', async () => {
      await using database = await kind.open();
      const spool = await openSpool(database.dataDirectory, noopLog);
      const elsewhere = await openSpool(join(database.dataDirectory, 'elsewhere'), noopLog);
      try {
        for (const { add } of [spool, elsewhere]) {
          await using source = await sqlite.open();
          const lead = await storeLead(source, typed);
          const [record] = await source.rows('idempotencyRecords');
          const outbox = await source.rows('outbox');
          await add([{ lead, idempotency: record ?? assert.fail(), outbox }]);
        }

        const held = await runLeads(database.environment, ['export', '--email', email]);
        assert.equal(JSON.parse(held.stdout).spooled[0].message, typed.message);
        const exported = await database.rows('auditEntries', { action: 'lead.export' });
        assert.deepEqual(
          exported.map(({ leadId }) => leadId),
          [JSON.parse(held.stdout).spooled[0].id],
        );
        const { stdout } = await runLeads(database.environment, ['erase', email, '--yes', '--json']);
        assert.deepEqual(JSON.parse(stdout), { leads: 0, spooled: 1, related: [] });

        assert.equal(await spool.depth(), 0);
        await moveLeads(await elsewhere.oldest(10, []), elsewhere, database);
        assert.equal(await elsewhere.depth(), 0);
        assert.deepEqual(await database.leads(), []);
      } finally {
        await spool.close();
        await elsewhere.close();
      }
    });

    test('an export before the erasure contains all data of the person', async () => {
      await using database = await kind.open();
      const lead = await storeLead(database, typed);
      await storeLead(database);
      await addTraces(database, lead);

      const { stdout } = await runLeads(database.environment, ['export', '--email', email.toUpperCase()]);

      const person = JSON.parse(stdout);
      assert.deepEqual(
        person.leads.map(({ message }: LeadRow) => message),
        [typed.message],
      );
      const { deliveries, attempts, idempotencyRecords, erasure } = person;
      assert.deepEqual([deliveries.length, attempts.length, idempotencyRecords.length], [2, 1, 1]);
      assert.equal(erasure, null);
    });
  });
}

test(
  'an interrupted erasure still drops later leads from a spool, on PostgreSQL',
  postgres.options,
  async () => {
    await using database = await postgres.open();
    await using source = await sqlite.open();
    const spool = await openSpool(join(source.dataDirectory, 'elsewhere'), noopLog);
    try {
      await storeLead(database, typed);
      const lead = await storeLead(source, typed);
      await spool.add([{ lead, idempotency: idempotencyOfItself(lead), outbox: [] }]);
      const erase = () => erasePerson(database.admin, email);

      await assert.rejects(database.whileLocked(erase));
      await moveLeads(await spool.oldest(10, []), spool, database);
      assert.equal(await spool.depth(), 0);
      const names = async () => (await database.leads()).map(({ name }) => name);
      assert.deepEqual(await names(), [typed.name]);

      assert.deepEqual(await erase(), { leads: 1, spooled: 0, related: [] });
      assert.deepEqual(await names(), ['']);
    } finally {
      await spool.close();
    }
  },
);

test('a failed search for related leads does not prevent an erasure', async () => {
  await using database = await sqlite.open();
  await storeLead(database, typed);
  await storeLead(database, { message: `My other mailbox is ${email}.` });
  await sql`create trigger no_search before insert on ${sql.table('auditEntries')} when new.action = 'lead.search'
    begin select raise(abort, 'no search'); end`.execute(database.db);

  const { code, stdout } = await runLeads(database.environment, ['erase', email, '--yes']);

  assert.equal(code, 0);
  assert.match(stdout, /^1 lead erased\.\nOther leads that may be about this person could not be searched/);
});

test('SQLite files contain no byte of an erased person while open', async () => {
  await using database = await sqlite.open();
  // Long texts and neighbouring rows, so that SQLite shares and splits pages.
  for (let index = 0; index < 40; index += 1) {
    const lead = await storeLead(database, { ...typed, message: `${typed.message} `.repeat(1 + index * 8) });
    await addTraces(database, lead);
    await storeLead(database);
  }
  assert.ok(traces(database.dataDirectory).length > 0);

  const { code } = await runLeads(database.environment, ['erase', email, '--yes']);

  assert.equal(code, 0);
  assert.deepEqual(traces(database.dataDirectory), []);
});

/** Files that contain data of the person. */
function traces(directory: string): string[] {
  const secrets = Object.values(typed);
  return readdirSync(directory).filter((file) => {
    const bytes = readFileSync(join(directory, file), 'latin1').toLowerCase();
    return secrets.some((secret) => bytes.includes(secret.toLowerCase()));
  });
}

/** Adds the traces of a refused delivery. Returns its id. */
async function addTraces(database: OpenedDatabase, lead: LeadRow): Promise<string> {
  const [{ id: outboxId } = assert.fail()] = await database.rows('outbox', { leadId: lead.id });
  await database.insert('deliveryAttempts', {
    ...{ id: uuidV7(Date.now()), outboxId, number: 1, startedAt: lead.receivedAt, latencyMs: 3 },
    ...{ outcome: 'failed', status: 550, answer: `550 <${lead.email}>: unknown user` },
  });
  return outboxId;
}
