import type { Migration } from 'kysely/migration';

/** Tables for the leads that an audit entry names, and for revoked sessions of the inbox. */
export const watchTheDesk: Migration = {
  async up(db) {
    await db.schema
      .createTable('audited_leads')
      .addColumn('lead_id', 'text', (it) => it.notNull())
      .addColumn('entry_id', 'text', (it) => it.notNull())
      .addPrimaryKeyConstraint('audited_leads_by_lead', ['lead_id', 'entry_id'])
      .execute();
    await db.schema
      .createTable('ended_sessions')
      .addColumn('id', 'text', (it) => it.primaryKey().notNull())
      .addColumn('expires_at', 'text', (it) => it.notNull())
      .execute();
  },
};
