import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { acceptedLead } from '../testing/accepted-lead.ts';
import { createMemoryLog, type MemoryLog } from '../testing/memory-log.ts';
import { databaseKinds, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { acceptLeads, type AcceptedLead } from './accept-leads.ts';
import { openDatabase, type Database } from './database.ts';
import { moveLeads } from './move-leads.ts';
import { SpoolMover } from './spool-mover.ts';
import { openSpool, type Spool } from './spool.ts';

const minute = 60_000;

/** A lead without a key of its own, received some minutes ago. */
function receivedAgo(minutes: number, message = 'The same text from the same person.'): AcceptedLead {
  const { lead, idempotency, outbox } = acceptedLead(message, 'none');
  const at = (time: string) => new Date(Date.parse(time) - minutes * minute).toISOString();
  return {
    lead: { ...lead, receivedAt: at(lead.receivedAt) },
    idempotency: {
      ...idempotency,
      key: `same:${message}`,
      fingerprint: message,
      createdAt: at(lead.receivedAt),
      expiresAt: new Date(Date.parse(at(lead.receivedAt)) + 10 * minute).toISOString(),
    },
    outbox,
  };
}

interface Setting extends AsyncDisposable {
  readonly database: Database;
  readonly spool: Spool;
  readonly log: MemoryLog;
  ids(): Promise<string[]>;
}

async function set(target: TestDatabase): Promise<Setting> {
  const log = createMemoryLog();
  const directory = mkdtempSync(join(tmpdir(), 'lead-spool-'));
  const database = await openDatabase(target.location, log);
  const spool = await openSpool(directory, log);
  return {
    database,
    spool,
    log,
    ids: async () => (await target.leads()).map(({ id }) => id),
    async [Symbol.asyncDispose]() {
      await spool.close();
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
}

for (const kind of databaseKinds) {
  describe(`moving leads out of a spool into ${kind.name}`, () => {
    test('goes on after it broke off between commit and removal, although the key is gone by then', async () => {
      await using target = await kind.create();
      await using setting = await set(target);
      const { database, spool } = setting;
      const lead = receivedAgo(20);
      await spool.add([lead]);
      const leads = await spool.oldest(10, []);
      const stuck: Spool = { ...spool, remove: () => Promise.reject(new Error('broken off')) };
      await assert.rejects(moveLeads(leads, stuck, database), /broken off/);
      await database.db.deleteFrom('idempotencyRecords').execute();

      await moveLeads(leads, spool, database);
      assert.deepEqual(await setting.ids(), [lead.lead.id]);
      assert.equal(await spool.depth(), 0);
    });

    test('keeps two leads with the same text that came more than ten minutes apart, in whatever order they arrive', async () => {
      await using target = await kind.create();
      await using setting = await set(target);
      const { database, spool } = setting;
      const [early, middle, late] = [receivedAgo(40), receivedAgo(20), receivedAgo(0)];
      await acceptLeads(database, [late]);
      await spool.add([early]);
      await spool.add([middle]);
      await moveLeads(await spool.oldest(10, []), spool, database);
      assert.deepEqual((await setting.ids()).sort(), [early, middle, late].map(({ lead }) => lead.id).sort());
      assert.equal(await spool.depth(), 0);
    });

    test('makes one of two with the same text that came within ten minutes', async () => {
      await using target = await kind.create();
      await using setting = await set(target);
      const { database, spool } = setting;
      const direct = receivedAgo(3);
      await acceptLeads(database, [direct]);
      await spool.add([receivedAgo(8)]);
      await moveLeads(await spool.oldest(10, []), spool, database);
      assert.deepEqual(await setting.ids(), [direct.lead.id]);
      assert.equal(await spool.depth(), 0);
    });

    test('goes past a lead that the database refuses for what it is', async () => {
      await using target = await kind.create();
      await using setting = await set(target);
      const { database, spool, log } = setting;
      await target.execute(`create unique index one_message on leads (message)`);
      const [first, refused, last] = [
        receivedAgo(30, 'Taken already.'),
        { ...receivedAgo(2, 'Taken'), lead: { ...receivedAgo(2).lead, message: 'Taken already.' } },
        receivedAgo(1, 'Another text, which is fine.'),
      ];
      await spool.add([first, refused, last]);
      const mover = new SpoolMover(database, spool, log);
      mover.start();
      await until(() => mover.hasEmptied());
      assert.deepEqual(await setting.ids(), [first.lead.id, last.lead.id]);
      assert.equal(await spool.depth(), 1);
      assert.match(log.lines.join('\n'), /the database refuses a lead, it stays in the spool/);
      await mover.stop();
    });
  });
}
