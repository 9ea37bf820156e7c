import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storeLead, suspicious } from '../testing/store-lead.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { applyRetention } from './retention.ts';

const day = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString();

for (const kind of databaseKinds) {
  describe(`retention on ${kind.name}`, kind.options, () => {
    test('deletes leads past their limit, with their deliveries', async () => {
      await using database = await kind.open();
      await storeLead(database, { receivedAt: daysAgo(101) });
      await storeLead(database, { receivedAt: daysAgo(101), classification: suspicious });
      const kept = await storeLead(database, { receivedAt: daysAgo(99) });

      assert.equal(await applyRetention(database.admin, 100), 2);

      const ids = (await database.leads()).map(({ id }) => id);
      assert.deepEqual(ids, [kept.id]);
      const outbox = await database.rows('outbox');
      assert.ok(outbox.length > 0 && outbox.every(({ leadId }) => ids.includes(leadId)));
    });

    test('keeps everything without limits, except expired idempotency records', async () => {
      await using database = await kind.open();
      await storeLead(database, { receivedAt: daysAgo(5_000), classification: suspicious });
      await database.update('idempotencyRecords', { expiresAt: daysAgo(1) });
      assert.equal(await applyRetention(database.admin, 0), 0);
      assert.equal((await database.leads()).length, 1);
      assert.deepEqual(await database.rows('idempotencyRecords'), []);
    });

    test('removes old counts of page reports', async () => {
      await using database = await kind.open();
      const counted = { releaseId: 'other', part: 'mf-leads', version: '1', measure: 'views', count: 1 };
      for (const beganAt of [daysAgo(401), daysAgo(399)]) {
        await database.insert('pageReports', { ...counted, visitors: 'stable', beganAt });
      }
      await applyRetention(database.admin, 0);
      assert.equal((await database.rows('pageReports')).length, 1);
    });

    test('deletes nothing more once it is aborted', async () => {
      await using database = await kind.open();
      await storeLead(database, { receivedAt: daysAgo(101) });
      await assert.rejects(applyRetention(database.admin, 100, AbortSignal.abort()), {
        name: 'AbortError',
      });
      assert.equal((await database.leads()).length, 1);
    });
  });
}
