import { type Acceptance, type AcceptedLead, acceptLeads } from '../database/accept-leads.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../database/database.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { leadCommitGroups, leadCommits } from '../platform/metrics.ts';

/**
 * Adds to {@link Acceptance}: `spooled`: committed to the local spool, because the shared database is unavailable, and the
 * spool mover moves it later; or because the database rejects this lead. `unavailable`: neither place accepted it. If the
 * response of a commit was lost, its result is unknown; a retry finds it.
 */
export type StoreOutcome = Acceptance | { readonly kind: 'spooled' } | { readonly kind: 'unavailable' };

export interface LeadStore {
  /** Commits a lead, in a group with leads that arrive at the same time. Throws unexpected errors. */
  add(lead: AcceptedLead): Promise<StoreOutcome>;
  /** Number of leads in the spool that the database rejects. */
  rejected(): number;
  /** Waits for pending commits. The caller closes the databases. */
  stop(): Promise<void>;
}

/** Maximum number of leads per commit. Larger groups increase the latency but not the throughput. */
export const batchSize = 128;

/** Measures a commit that succeeds. */
export async function timed<Result>(
  place: 'database' | 'spool',
  { length: leads }: readonly AcceptedLead[],
  commit: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const result = await commit();
  leadCommits.observe({ place }, (performance.now() - begun) / 1_000);
  leadCommitGroups.observe({ place }, leads);
  return result;
}

export function createDirectStore(database: Database, log: Log): LeadStore {
  const commits = new GroupCommit<AcceptedLead, StoreOutcome>(async (group) => {
    try {
      return await timed('database', group, () => acceptLeads(database, group));
    } catch (error) {
      const reason = database.access.unavailability(error);
      if (reason === undefined) throw error;
      log.error('could not store leads', { count: group.length, reason });
      return group.map(() => ({ kind: 'unavailable' }));
    }
  }, batchSize);
  return {
    add: (lead) => commits.add(lead),
    rejected: () => 0,
    stop: () => commits.drained(),
  };
}
