import type { Migration } from 'kysely/migration';

/** Counts of the reports that pages send, by ten minutes. */
export const countPageReports: Migration = {
  async up(db) {
    await db.schema
      .createTable('page_reports')
      .addColumn('began_at', 'text', (it) => it.notNull())
      .addColumn('release_id', 'text', (it) => it.notNull())
      .addColumn('part', 'text', (it) => it.notNull())
      .addColumn('version', 'text', (it) => it.notNull())
      .addColumn('visitors', 'text', (it) => it.notNull())
      .addColumn('measure', 'text', (it) => it.notNull())
      .addColumn('count', 'integer', (it) => it.notNull())
      .addPrimaryKeyConstraint('page_reports_key', [
        ...(['began_at', 'release_id', 'part', 'version', 'visitors', 'measure'] as const),
      ])
      .execute();
  },
};
