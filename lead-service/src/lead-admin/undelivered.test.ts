import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveDelivery } from '../testing/served-delivery.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { releaseHeld, replay } from './dead-letters.ts';
import { findUndelivered } from './undelivered.ts';

const longAgo = '2026-01-01T00:00:00.000Z';

for (const kind of databaseKinds) {
  test(
    `undelivered on ${kind.name}: a release or replay restarts the age of a delivery`,
    kind.options,
    async () => {
      await using service = await serveDelivery(kind, { enabled: false });
      const { db } = service.stores.database;
      const leadId = await service.lead({}, { score: 20, reasons: [], quarantined: true });
      await db.updateTable('outbox').set({ createdAt: longAgo, nextAttemptAt: longAgo }).execute();
      assert.equal((await findUndelivered(db)).oldest, undefined);

      const begun = new Date().toISOString();
      await db.transaction().execute((transaction) => releaseHeld(transaction, leadId));
      assert.ok(((await findUndelivered(db)).oldest ?? '') >= begun, 'released');

      await db.updateTable('outbox').set({ state: 'dead', createdAt: longAgo }).execute();
      await replay(db, 'all');
      assert.ok(((await findUndelivered(db)).oldest ?? '') >= begun, 'replayed');
    },
  );
}
