import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Partial indexes for the retention job and the quarantine, so that they need no full table scan. */
export const findWhatIsToBeRemoved: Migration = {
  async up(db) {
    await db.schema
      .createIndex('leads_kept')
      .on('leads')
      .columns(['type', 'received_at'])
      .where(sql<boolean>`erased_at is null and quarantined_at is null`)
      .execute();
    await db.schema
      .createIndex('leads_kept_in_quarantine')
      .on('leads')
      .columns(['type', 'received_at'])
      .where(sql<boolean>`erased_at is null and quarantined_at is not null`)
      .execute();
    await db.schema
      .createIndex('leads_in_quarantine')
      .on('leads')
      .column('id')
      .where(sql<boolean>`erased_at is null and quarantined_at is not null`)
      .execute();
    await db.schema
      .createIndex('leads_erased')
      .on('leads')
      .columns(['erased_at', 'id'])
      .where(sql<boolean>`erased_at is not null`)
      .execute();
  },
};
