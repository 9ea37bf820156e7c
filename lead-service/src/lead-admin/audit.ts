import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { uuidV7 } from '../uuid-v7.ts';

export type AuditAction =
  | 'lead.list'
  | 'lead.search'
  | 'lead.read'
  | 'lead.export'
  | 'lead.export-page'
  | 'lead.set-status'
  | 'lead.not-spam'
  | 'lead.erase'
  | 'lead.retention'
  | 'person.export'
  | 'person.erase'
  | 'address.list'
  | 'address.suppress'
  | 'address.unsuppress'
  | 'delivery.list-dead'
  | 'delivery.replay'
  | 'api.login-failed'
  | 'inbox.login'
  | 'inbox.login-failed'
  | 'inbox.logout';

/** What somebody did. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly leadId?: string | undefined;
  /** The leads that were seen, where it is about many. They stand in the details, as `ids`. */
  readonly leadIds?: readonly string[];
  /** Facts such as a filter or a count. Never what a visitor typed, and not the text of a search either. */
  readonly details?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The actor of a login that failed. No token can have this name. */
export const unknownActor = '(unknown)';

/** A statement takes only so many values. */
const mostAtOnce = 200;

/** Writes an action into the audit log, in the same transaction as the action. Returns the ids of the entries. */
export async function recordAudit(
  transaction: Transaction<Tables>,
  actor: string,
  events: readonly AuditEvent[],
): Promise<readonly string[]> {
  const now = new Date();
  const entries = events.map(({ action, leadId = null, leadIds, details = {} }) => ({
    id: uuidV7(now.getTime()),
    at: now.toISOString(),
    ...{ actor, action, leadId },
    details: JSON.stringify({ ...details, ids: leadIds }),
  }));
  for (const some of groupsOf(mostAtOnce, entries)) {
    await transaction.insertInto('auditEntries').values(some).execute();
  }
  const audited = events.flatMap(({ leadIds = [] }, index) =>
    leadIds.map((leadId) => ({ leadId, entryId: entries[index]?.id ?? '' })),
  );
  for (const some of groupsOf(mostAtOnce, audited)) {
    await transaction.insertInto('auditedLeads').values(some).execute();
  }
  return entries.map(({ id }) => id);
}

function* groupsOf<Item>(size: number, items: readonly Item[]): Generator<readonly Item[]> {
  for (let first = 0; first < items.length; first += size) yield items.slice(first, first + size);
}
