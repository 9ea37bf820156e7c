import type { Migration } from 'kysely/migration';
import { createLeads } from './001-create-leads.ts';
import { handLeadsOn } from './002-hand-leads-on.ts';
import { watchTheDesk } from './003-watch-the-desk.ts';
import { findWhatIsToBeRemoved } from './004-find-what-is-to-be-removed.ts';
import { noteRunsOfJobs } from './005-note-runs-of-jobs.ts';
import { countPageReports } from './007-count-page-reports.ts';
import { noteMoves } from './008-note-moves.ts';

export interface SchemaStep extends Migration {
  /**
   * Newest migration of the oldest version that reads and writes the new schema correctly, such as `005-note-runs-of-jobs`.
   * That version and later ones may then run beside the new one, and start again after a return to them. Give it if the
   * migration only adds tables, indexes, or columns that may be null or have a default. Undefined: no older version can.
   */
  readonly readableBy?: string;
}

/** All migrations, forward only. Never change a released migration; add one with the next number. */
export const migrations: Record<string, SchemaStep> = {
  '001-create-leads': createLeads,
  '002-hand-leads-on': handLeadsOn,
  '003-watch-the-desk': watchTheDesk,
  '004-find-what-is-to-be-removed': findWhatIsToBeRemoved,
  '005-note-runs-of-jobs': noteRunsOfJobs,
  '007-count-page-reports': { ...countPageReports, readableBy: '005-note-runs-of-jobs' },
  '008-note-moves': { ...noteMoves, readableBy: '005-note-runs-of-jobs' },
};
