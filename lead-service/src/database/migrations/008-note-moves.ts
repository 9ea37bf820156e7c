import type { Migration } from 'kysely/migration';

/** Moves from SQLite to PostgreSQL: their progress where the leads go to, and a mark in the file that they leave. */
export const noteMoves: Migration = {
  async up(db) {
    await db.schema
      .createTable('moves')
      .addColumn('id', 'text', (it) => it.primaryKey().notNull())
      .addColumn('target', 'text', (it) => it.notNull())
      .addColumn('began_at', 'text', (it) => it.notNull())
      .addColumn('step', 'text', (it) => it.notNull())
      .addColumn('last_key', 'text')
      .addColumn('merged', 'text', (it) => it.notNull())
      .addColumn('finished_at', 'text')
      .execute();
  },
};
