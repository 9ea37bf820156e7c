import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { recordAudit, type AuditEvent } from './audit.ts';
import type { Desk } from './desk.ts';

/**
 * Reads from a snapshot, which keeps no lead waiting, however long it takes. What was seen is in the audit log before the
 * caller gets it: that is a short transaction of its own.
 *
 * @param eventsOf what to note of the result. No events: it is nothing that anyone must know of
 */
export async function readAudited<Result>(
  { database: { db }, actor }: Desk,
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
