import type { Migration } from 'kysely/migration';

/** When a job last ran, by the clock of then: a clock that has jumped since shows. */
export const noteRunsOfJobs: Migration = {
  async up(db) {
    await db.schema
      .createTable('job_runs')
      .addColumn('job', 'text', (it) => it.primaryKey().notNull())
      .addColumn('ran_at', 'text', (it) => it.notNull())
      .execute();
  },
};
