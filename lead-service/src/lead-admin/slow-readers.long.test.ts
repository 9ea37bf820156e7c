import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { storeLead } from '../testing/store-lead.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { pauseAfter } from '../testing/paused-queries.ts';
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

function statusOfNewLead(app: HostedService): Promise<number> {
  return statusOfLead(app, { email: 'grace@example.com', message: 'Sent while another one reads.' });
}

for (const kind of databaseKinds) {
  describe(`slow readers on ${kind.name}`, kind.options, () => {
    for (const [what, read] of Object.entries(readers)) {
      test(`${what} blocks no new lead`, async () => {
        await using app = await hostService(kind);
        const { id } = await storeLead(app.database);
        const paused = pauseAfter(app.database.db, 'select from leads');
        const context = { ...app.database.admin, database: { ...app.database, db: paused.db } };
        const reading = read(context, id);
        await paused.reached;

        assert.equal(await statusOfNewLead(app), 201);

        paused.goOn();
        assert.equal(await reading, 1);
        assert.notEqual((await app.database.rows('auditEntries')).length, 0, 'it is in the audit log');
      });

      test(`${what} returns nothing if the audit log fails`, async () => {
        await using database = await kind.open();
        const { id } = await storeLead(database);
        await database.execute('alter table audit_entries rename to elsewhere');
        await assert.rejects(read(database.admin, id), /audit_entries/);
      });
    }

    test('an export with a stalled receiver blocks no new lead', async () => {
      await using app = await hostService(kind);
      for (let number = 0; number < 3; number += 1) await storeLead(app.database);
      const { leads } = await exportLeads(app.database.admin, filter, 'csv');
      const receiver = leads[Symbol.asyncIterator]();
      await receiver.next();

      assert.equal(await statusOfNewLead(app), 201);

      await receiver.next();
      await receiver.next();
      assert.equal((await receiver.next()).done, true, 'what came after its beginning is not in it');
    });
  });
}
