import assert from 'node:assert/strict';
import { join } from 'node:path';
import { insertLeads, type LeadToStore, idempotencyRecord } from '../database/insert-leads.ts';
import { noopLog } from '../platform/log.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { leadToStore } from '../testing/store-lead.ts';
import { onEachDatabase, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { openSpool, type Spool } from './spool.ts';
import { createSpoolMover, moveLeads } from './spool-mover.ts';

const minute = 60_000;

/** A lead without an idempotency key, received some minutes ago. */
function receivedAgo(minutes: number, message = 'The same text from the same person.'): LeadToStore {
  const { lead: fresh, outbox } = leadToStore(message, 'none');
  const lead = { ...fresh, receivedAt: new Date(Date.now() - minutes * minute).toISOString() };
  return { lead, idempotency: idempotencyRecord(lead, message, undefined), outbox };
}

/** A mover that has started. Disposal stops it, also if its test fails. */
function startMover(...options: Parameters<typeof createSpoolMover>) {
  const mover = createSpoolMover(...options);
  mover.start();
  return { ...mover, [Symbol.asyncDispose]: mover.stop };
}

/** A spool beside a database. */
const spoolOf = ({ dataDirectory }: TestDatabase) => openSpool(join(dataDirectory, 'spool'), noopLog);

onEachDatabase('moveLeads', (test) => {
  test('creates no duplicates after a failure between commit and removal, even if the key expired', async (database) => {
    await using spool = await spoolOf(database);
    const lead = receivedAgo(20);
    await spool.add([lead]);
    const leads = await spool.oldest(10);
    const stuck: Spool = { ...spool, remove: () => Promise.reject(new Error('broken off')) };
    await assert.rejects(moveLeads(leads, stuck, database), /broken off/);
    await database.db.deleteFrom('idempotencyRecords').execute();

    assert.equal(await moveLeads(leads, spool, database), 1);
    assert.deepEqual(await database.leadIds(), [lead.lead.id]);
    assert.equal(await spool.depth(), 0);
  });

  test('keeps leads with equal text over ten minutes apart, in any order, merges closer ones', async (database) => {
    await using spool = await spoolOf(database);
    const [early, middle, close, late] = [receivedAgo(40), receivedAgo(20), receivedAgo(8), receivedAgo(0)];
    await insertLeads(database, [late]);
    for (const lead of [early, middle, close]) await spool.add([lead]);
    const leads = await spool.oldest(10);
    assert.equal(await moveLeads(leads, spool, database), leads.length - 1);
    const ids = [early, middle, late].map(({ lead }) => lead.id);
    assert.deepEqual(await database.leadIds(), ids);
    assert.equal(await spool.depth(), 0);
  });

  test('logs the reason of an outage again once it has changed', async (database) => {
    await using spool = await spoolOf(database);
    const log = createMemoryLog();
    let reason = 'no answer';
    const outage = { ...database, access: { ...database.access, unavailability: () => reason } };
    const stuck: Spool = { ...spool, oldest: () => Promise.reject(new Error('broken off')) };
    await using mover = startMover(outage, stuck, log);
    await log.line('leads stay in the spool (reason=no answer)');
    reason = 'wrong password';
    await log.line('leads stay in the spool (reason=wrong password)');
    assert.deepEqual([log.lines.length, mover.refusedByDatabase()], [2, 0]);
  });

  test('takes a locked spool for no refusal of the database', async (database) => {
    await using spool = await spoolOf(database);
    await spool.add([receivedAgo(1)]);
    const log = createMemoryLog();
    const error = Object.assign(new Error('database is locked'), { errcode: 5 });
    await using mover = startMover(database, { ...spool, remove: () => Promise.reject(error) }, log);
    await log.line('leads stay in the spool (reason=database is locked)');
    assert.equal(mover.refusedByDatabase(), 0);
  });

  test('skips a lead that the database refuses, and moves it once the reason is gone', async (database) => {
    await using spool = await spoolOf(database);
    const log = createMemoryLog();
    // Of a clock that was set back, so that its id is lower than that of the refused one.
    const later = receivedAgo(0, 'A text that comes while one is refused.');
    await database.execute(`create unique index one_message on leads (message)`);
    const first = receivedAgo(30, 'Taken already.');
    // Its idempotency record is that of another text, so that only the index rejects it.
    const other = receivedAgo(2, 'Taken');
    const refused = { ...other, lead: { ...other.lead, message: 'Taken already.' } };
    const last = receivedAgo(1, 'Another text, which is fine.');
    await spool.add([first, refused, last]);
    await using mover = startMover(database, spool, log);
    await until(() => mover.refusedByDatabase() === 1);
    await until(async () => (await spool.depth()) === 1);
    assert.deepEqual(await database.leadIds(), [first.lead.id, last.lead.id]);
    assert.match(log.lines.join('\n'), /the database refuses a lead, it stays in the spool/);
    await spool.add([later]);
    mover.notify();
    await until(async () => (await database.leadIds()).includes(later.lead.id));
    await mover.stop();

    await using retrying = startMover(database, spool, log, { refusedInterval: 100 });
    await until(() => retrying.refusedByDatabase() === 1);
    await database.execute('drop index one_message');
    await until(async () => (await spool.depth()) === 0);
    const ids = [later, first, refused, last].map(({ lead }) => lead.id);
    assert.deepEqual((await database.leadIds()).toSorted(), ids);
  });
});
