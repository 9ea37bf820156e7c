import { acceptLeads, type AcceptedLead } from '../database/accept-leads.ts';
import type { Database } from '../database/database.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import type { Log } from '../platform/log.ts';
import { batchSize, timed, type LeadStore, type StoreOutcome } from './lead-store.ts';

/** A store that writes into a database, without a spool. */
export function createDirectStore(database: Database, log: Log): LeadStore {
  const commits = new GroupCommit<AcceptedLead, StoreOutcome>(async (group) => {
    try {
      return await timed(log, 'database', group, () => acceptLeads(database, group));
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
