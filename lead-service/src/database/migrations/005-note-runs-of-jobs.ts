import type { Migration } from 'kysely/migration';

/** Last run of each job. A later jump of the clock is visible in it. */
export const noteRunsOfJobs: Migration = {
  async up(db) {
    await db.schema
      .createTable('job_runs')
      .addColumn('job', 'text', (it) => it.primaryKey().notNull())
      .addColumn('ran_at', 'text', (it) => it.notNull())
      .execute();
  },
};
