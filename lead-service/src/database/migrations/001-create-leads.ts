import type { Migration } from 'kysely/migration';

/** Only text columns, because they work the same in both databases. Times are ISO 8601 in UTC. */
export const createLeads: Migration = {
  async up(db) {
    await db.schema
      .createTable('leads')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('company', 'text')
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .execute();
  },
};
