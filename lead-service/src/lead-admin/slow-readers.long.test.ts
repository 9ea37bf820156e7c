import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestDatabase, storeLead } from '../testing/admin-database.ts';
import { pauseAfter } from '../testing/paused-queries.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDatabase, type ServedApp } from '../testing/served-app.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import type { AdminContext } from './admin-context.ts';
import { exportLeads } from './export-leads.ts';
import { exportPerson } from './export-person.ts';
import { parseLeadFilter } from './lead-filter.ts';
import { listLeads } from './list-leads.ts';
import { readLead } from './read-lead.ts';

const filter = parseLeadFilter({});

/** All read operations. Each returns the number of leads read. */
const readers: Readonly<Record<string, (context: AdminContext, id: string) => Promise<number>>> = {
  async 'a search'(context) {
    return (await listLeads(context, { filter, text: sampleLead.name, limit: 50 })).leads.length;
  },
  async 'an export'(context) {
    const { leads } = await exportLeads(context, filter, 'csv');
    let count = 0;
    for await (const lead of leads) count += lead.erasedAt === null ? 1 : 0;
    return count;
  },
  async 'a read of one lead'(context, id) {
    return (await readLead(context, id)).lead.id === id ? 1 : 0;
  },
  async 'an export of one person'(context) {
    return (await exportPerson(context, sampleLead.email)).leads.length;
  },
};

async function statusOfNewLead(app: ServedApp): Promise<number> {
  const another = { ...sampleLead, email: 'grace@example.com', message: 'Sent while another one reads.' };
  const answer = await app.post('/api/contact', another);
  await answer.text();
  return answer.status;
}

for (const kind of databaseKinds) {
  describe(`slow readers on ${kind.name}`, kind.options, () => {
    for (const [what, read] of Object.entries(readers)) {
      test(`${what} blocks no new lead`, async () => {
        await using database = await kind.create();
        await using app = await serveDatabase(database);
        await using opened = await openTestDatabase(database);
        const { id } = await storeLead(opened);
        const paused = pauseAfter(opened.db, 'select from leads');
        const context = {
          database: { ...opened, db: paused.db },
          dataDirectory: database.dataDirectory,
          actor: 'test',
        };
        const reading = read(context, id);
        await paused.reached;

        assert.equal(await statusOfNewLead(app), 201);

        paused.goOn();
        assert.equal(await reading, 1);
        const { count } = await opened.db
          .selectFrom('auditEntries')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow();
        assert.ok(Number(count) > 0, 'it is in the audit log');
      });

      test(`${what} returns nothing if the audit log fails`, async () => {
        await using database = await kind.create();
        await using opened = await openTestDatabase(database);
        const { id } = await storeLead(opened);
        await database.execute('alter table audit_entries rename to elsewhere');
        const context = { database: opened, dataDirectory: database.dataDirectory, actor: 'test' };
        await assert.rejects(read(context, id), /audit_entries/);
      });
    }

    test('an export with a stalled receiver blocks no new lead', async () => {
      await using database = await kind.create();
      await using app = await serveDatabase(database);
      await using opened = await openTestDatabase(database);
      for (let number = 0; number < 3; number += 1) await storeLead(opened);
      const context = { database: opened, dataDirectory: database.dataDirectory, actor: 'test' };
      const { leads } = await exportLeads(context, filter, 'csv');
      const receiver = leads[Symbol.asyncIterator]();
      await receiver.next();

      assert.equal(await statusOfNewLead(app), 201);

      await receiver.next();
      await receiver.next();
      assert.equal((await receiver.next()).done, true, 'what came after its beginning is not in it');
    });
  });
}
