import type { Migration } from 'kysely/migration';

/** Why a confirmation must not be sent. Null in the rows of earlier versions, which know no reason. */
export const withholdConfirmations: Migration = {
  async up(db) {
    await db.schema.alterTable('outbox').addColumn('withheld', 'text').execute();
  },
};
