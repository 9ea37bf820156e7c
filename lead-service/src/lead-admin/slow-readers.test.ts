import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exportPerson } from '../privacy/export-person.ts';
import { openTestDatabase, storeLead } from '../testing/desk-database.ts';
import { pauseAfter } from '../testing/paused-queries.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDatabase, type ServedApp } from '../testing/served-app.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import type { Desk } from './desk.ts';
import { exportLeads } from './export-leads.ts';
import { parseLeadFilter } from './lead-filter.ts';
import { listLeads } from './list-leads.ts';
import { readLead } from './read-lead.ts';

const filter = parseLeadFilter({});

/** Everything that reads leads for a person. Each returns how many it has read. */
const readers: Readonly<Record<string, (desk: Desk, id: string) => Promise<number>>> = {
  async 'a search'(desk) {
    return (await listLeads(desk, { filter, text: sampleLead.name, limit: 50 })).leads.length;
  },
  async 'an export'(desk) {
    const { leads } = await exportLeads(desk, filter, 'csv');
    let count = 0;
    for await (const lead of leads) count += lead.erasedAt === null ? 1 : 0;
    return count;
  },
  async 'a look at one lead'(desk, id) {
    return (await readLead(desk, id)).lead.id === id ? 1 : 0;
  },
  async 'an export of one person'(desk) {
    return (await exportPerson(desk, sampleLead.email)).leads.length;
  },
};

async function statusOfNewLead(app: ServedApp): Promise<number> {
  const another = { ...sampleLead, email: 'grace@example.com', message: 'Sent while another one reads.' };
  const answer = await app.post('/api/contact', another);
  await answer.text();
  return answer.status;
}

for (const kind of databaseKinds) {
  describe(`a slow reader on ${kind.name}`, () => {
    for (const [what, read] of Object.entries(readers)) {
      test(`keeps no lead waiting: ${what}`, async () => {
        await using database = await kind.create();
        await using app = await serveDatabase(database);
        await using opened = await openTestDatabase(database);
        const { id } = await storeLead(opened);
        const paused = pauseAfter(opened.db, 'select from leads');
        const desk = {
          database: { ...opened, db: paused.db },
          dataDirectory: database.dataDirectory,
          actor: 'test',
        };
        const reading = read(desk, id);
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

      test(`gets nothing that cannot be noted: ${what}`, async () => {
        await using database = await kind.create();
        await using opened = await openTestDatabase(database);
        const { id } = await storeLead(opened);
        await database.execute('alter table audit_entries rename to elsewhere');
        const desk = { database: opened, dataDirectory: database.dataDirectory, actor: 'test' };
        await assert.rejects(read(desk, id), /audit_entries/);
      });
    }

    test('keeps no lead waiting: an export whose receiver has stopped reading', async () => {
      await using database = await kind.create();
      await using app = await serveDatabase(database);
      await using opened = await openTestDatabase(database);
      for (let number = 0; number < 3; number += 1) await storeLead(opened);
      const desk = { database: opened, dataDirectory: database.dataDirectory, actor: 'test' };
      const { leads } = await exportLeads(desk, filter, 'csv');
      const receiver = leads[Symbol.asyncIterator]();
      await receiver.next();

      assert.equal(await statusOfNewLead(app), 201);

      await receiver.next();
      await receiver.next();
      assert.equal((await receiver.next()).done, true, 'what came after its beginning is not in it');
    });
  });
}
