import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { recordAudit, type AuditEvent } from './audit.ts';
import type { AdminContext } from './admin-context.ts';

/**
 * Reads from a read-only snapshot, which never blocks writers. A second, short transaction writes the audit entries before
 * the caller gets the result.
 *
 * @param eventsOf audit events of the result; none if the result needs no entry
 */
export async function readAudited<Result>(
  { database: { db }, actor }: AdminContext,
  read: (snapshot: Transaction<Tables>) => Promise<Result>,
  eventsOf: (result: Result) => readonly AuditEvent[],
): Promise<Result> {
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const result = await reading.execute(read);
  const events = eventsOf(result);
  if (events.length > 0) {
    await db.transaction().execute((transaction) => recordAudit(transaction, actor, events));
  }
  return result;
}
