import { GroupCommit } from '../group-commit.ts';
import type { Log } from '../log.ts';
import { acceptLeads, type AcceptedLead } from './accept-leads.ts';
import type { Database } from './database.ts';
import { mostAtOnce, timed, type CommitObserver, type LeadStore, type StoreOutcome } from './lead-store.ts';

/** Keeps leads in a database alone. */
export function createDirectStore(
  database: Database,
  log: Log,
  observe: CommitObserver = () => undefined,
): LeadStore {
  const commits = new GroupCommit<AcceptedLead, StoreOutcome>(async (group) => {
    try {
      return await timed(observe, 'database', group, () => acceptLeads(database, group));
    } catch (error) {
      const reason = database.access.unavailability(error);
      if (reason === undefined) throw error;
      log.error('could not store leads', { count: group.length, reason });
      return group.map(() => ({ kind: 'unavailable' }));
    }
  }, mostAtOnce);
  return {
    add: (lead) => commits.add(lead),
    spoolDepth: async () => 0,
    stop: () => commits.drained(),
  };
}
