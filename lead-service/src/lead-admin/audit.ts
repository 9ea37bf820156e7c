import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';
import type { AdminContext } from './admin-context.ts';

export type AuditAction =
  | 'lead.list'
  | 'lead.search'
  | 'lead.read'
  | 'lead.export'
  | 'lead.export-page'
  | 'lead.set-status'
  | 'lead.not-spam'
  | 'lead.spam'
  | 'lead.erase'
  | 'lead.retention'
  | 'person.export'
  | 'person.erase'
  | 'delivery.list-dead'
  | 'delivery.replay'
  | 'api.login-failed'
  | 'inbox.login'
  | 'inbox.login-failed'
  | 'inbox.logout';

export interface AuditEvent {
  readonly action: AuditAction;
  readonly leadId?: string | undefined;
  /** The leads of an action on several. They are stored in the details, as `ids`. */
  readonly leadIds?: readonly string[];
  /** Facts such as a filter or a count. Never user text, and no search terms. */
  readonly details?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The actor of a failed login. No token can have this name. */
export const unknownActor = '(unknown)';

/** Limited, because a statement accepts a limited number of parameters. */
const batchSize = 200;

/** Writes actions to the audit log, in the transaction of the actions. Returns the ids of the entries. */
export async function recordAudit(
  transaction: Transaction<Tables>,
  actor: string,
  events: readonly AuditEvent[],
): Promise<readonly string[]> {
  const now = new Date();
  const withIds = events.map((event) => ({ ...event, id: uuidV7(now.getTime()) }));
  const entries = withIds.map(({ id, action, leadId = null, leadIds, details = {} }) => ({
    ...{ id, at: now.toISOString(), actor, action, leadId },
    details: JSON.stringify({ ...details, ids: leadIds }),
  }));
  for (const chunk of chunks(batchSize, entries)) {
    await transaction.insertInto('auditEntries').values(chunk).execute();
  }
  const audited = withIds.flatMap(({ id, leadIds = [] }) =>
    leadIds.map((leadId) => ({ leadId, entryId: id })),
  );
  for (const chunk of chunks(batchSize, audited)) {
    await transaction.insertInto('auditedLeads').values(chunk).execute();
  }
  return entries.map(({ id }) => id);
}

function* chunks<Item>(size: number, items: readonly Item[]): Generator<readonly Item[]> {
  for (let first = 0; first < items.length; first += size) yield items.slice(first, first + size);
}

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
