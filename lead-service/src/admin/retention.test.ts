import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseAccess } from '../database/database-access.ts';
import { insertLeads } from '../database/insert-leads.ts';
import { openSpool } from '../lead-store/spool.ts';
import { moveLeads } from '../lead-store/spool-mover.ts';
import { retentionTime } from '../platform/event-metrics.ts';
import { ExplainedError } from '../platform/explained-error.ts';
import { noopLog } from '../platform/log.ts';
import { leadToStore, storeLead, suspicious } from '../testing/store-lead.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { onEachDatabase, sqlite } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { applyRetention, createRetentionJob } from './retention.ts';

const day = 24 * 60 * 60_000;
const counted = {
  releaseId: 'other',
  part: 'mf-leads',
  version: '1',
  visitors: 'stable',
  measure: 'views',
  count: 1,
} as const;
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString();

onEachDatabase('retention', (test) => {
  test('deletes leads past their limit, with their deliveries, also from the spool, but not if none would stay', async (database) => {
    await using spool = await openSpool(database.dataDirectory, noopLog);
    const context = { ...database.admin, spool };
    await storeLead(spool, { receivedAt: daysAgo(101) });
    await storeLead(database, { receivedAt: daysAgo(101) });
    await storeLead(database, { receivedAt: daysAgo(101), classification: suspicious });
    await assert.rejects(applyRetention(context, 100), /all leads are older than RETENTION_DAYS/);
    assert.deepEqual([await spool.depth(), (await database.leads()).length], [1, 2]);
    const kept = await storeLead(spool, { receivedAt: daysAgo(99) });

    assert.equal(await applyRetention(context, 100), 3);

    assert.deepEqual([await database.leads(), await database.rows('outbox')], [[], []]);
    const left = (await spool.oldest(10)).map(({ lead, outbox }) => [lead.id, outbox.length]);
    assert.deepEqual(left, [[kept.id, 2]]);
  });

  test('without a limit deletes old idempotency records and counts, but no leads', async (database) => {
    await storeLead(database, { receivedAt: daysAgo(5_000), classification: suspicious });
    await database.db
      .updateTable('idempotencyRecords')
      .set({ expiresAt: daysAgo(8) })
      .execute();
    const reports = [401, 399].map((days) => ({ ...counted, beganAt: daysAgo(days) }));
    await database.db.insertInto('pageReports').values(reports).execute();
    assert.equal(await applyRetention(database.admin, 0), 0);
    assert.equal((await database.leads()).length, 1);
    assert.deepEqual(await database.rows('idempotencyRecords'), []);
    assert.equal((await database.rows('pageReports')).length, 1);
    // After a stop of eight days.
    assert.equal(await applyRetention(database.admin, 0, { now: Date.now() + 8 * day }), 0);
  });

  test('keeps a lead one while its retry waits in a spool, for a week', async (database) => {
    await using spool = await openSpool(database.dataDirectory, noopLog);
    await insertLeads(database, [leadToStore('Sent twice.', 'key')]);
    await spool.add([leadToStore('Sent twice.', 'key')]);
    await applyRetention(database.admin, 0, { now: Date.now() + 6 * day });
    await moveLeads(await spool.oldest(10), spool, database);
    assert.equal((await database.leads()).length, 1);
  });

  test('deletes nothing more once it is aborted', async (database) => {
    await storeLead(database);
    await storeLead(database, { receivedAt: daysAgo(101) });
    await assert.rejects(applyRetention(database.admin, 100, { signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
    assert.equal((await database.leads()).length, 2);
  });

  test('deletes nothing if the clock is two years ahead, until a person confirms it', async (database) => {
    const now = Date.now() + 731 * day;
    await storeLead(database);
    // Received under the wrong clock.
    await storeLead(database, { receivedAt: new Date(now).toISOString() });
    await database.db
      .insertInto('pageReports')
      .values({ ...counted, beganAt: daysAgo(0) })
      .execute();
    const counts = async () => {
      const tables = ['leads', 'idempotencyRecords', 'pageReports'] as const;
      return Promise.all(tables.map(async (table) => (await database.rows(table)).length));
    };
    for (const later of [0, 1]) {
      const run = applyRetention(database.admin, 730, { now: now + later * day });
      await assert.rejects(run, /the clock says .*; if it is right/);
    }
    assert.deepEqual(await counts(), [2, 2, 1]);
    assert.equal(await applyRetention(database.admin, 730, { now, isConfirmed: true }), 1);
    assert.deepEqual(await counts(), [1, 1, 0]);
    assert.equal(await applyRetention(database.admin, 730, { now: now + 6 * day }), 0);
  });

  test('a clock that was ahead and is right again may not advance by more than before', async (database) => {
    await storeLead(database);
    await applyRetention(database.admin, 730, { now: Date.now() + 6 * day });
    await applyRetention(database.admin, 730);
    // Such as before the network has set it.
    await applyRetention(database.admin, 730, { now: 0 });
    await applyRetention(database.admin, 730, { now: Date.now() + 6 * day });
    await applyRetention(database.admin, 730);
    const run = applyRetention(database.admin, 730, { now: Date.now() + 12 * day });
    await assert.rejects(run, /the clock says .*; if it is right/);
  });

  test('trusts the clock of a quiet site, whose runs go on without leads', async (database) => {
    await storeLead(database);
    await storeLead(database, { receivedAt: daysAgo(99) });
    for (let days = 0; days < 42; days += 6) {
      const now = Date.now() + days * day;
      assert.equal(await applyRetention(database.admin, 100, { now }), days === 6 ? 1 : 0);
    }
  });
});

test('retention: a failed run keeps the time of the last; a later one continues', async () => {
  await using database = await sqlite.open();
  let isRead = true;
  const scrub: DatabaseAccess['scrub'] = async (db) => {
    if (isRead) throw new ExplainedError('It is read.');
    await database.access.scrub(db);
  };
  const admin = { ...database.admin, database: { ...database, access: { ...database.access, scrub } } };
  const log = createMemoryLog();
  const time = async () => (await retentionTime.get()).values[0]?.value ?? 0;
  const job = createRetentionJob(admin, 730, log, { first: 0, interval: 20 });
  job.start();
  await using stopping = new AsyncDisposableStack();
  stopping.defer(() => job.stop());
  const started = await time();
  await log.line('retention failed (reason=It is read.)');
  assert.equal(await time(), started);
  isRead = false;
  await until(async () => (await time()) > started);
});
