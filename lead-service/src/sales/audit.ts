import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { uuidV7 } from '../uuid-v7.ts';

export type AuditAction =
  | 'lead.list'
  | 'lead.search'
  | 'lead.read'
  | 'lead.export'
  | 'lead.set-status'
  | 'lead.not-spam'
  | 'lead.erase'
  | 'lead.retention'
  | 'person.export'
  | 'person.erase'
  | 'address.suppress'
  | 'address.unsuppress'
  | 'delivery.list-dead'
  | 'delivery.replay'
  | 'inbox.login'
  | 'inbox.logout';

/** What somebody did. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly leadId?: string | undefined;
  /** Facts such as a filter or a count. Never what a visitor typed, and not the text of a search either. */
  readonly details?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Writes what somebody does into the audit log, in the transaction in which it is done. */
export async function recordAudit(
  transaction: Transaction<Tables>,
  actor: string,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const now = new Date();
  await transaction
    .insertInto('auditEntries')
    .values(
      events.map(({ action, leadId = null, details = {} }) => ({
        id: uuidV7(now.getTime()),
        at: now.toISOString(),
        actor,
        action,
        leadId,
        details: JSON.stringify(details),
      })),
    )
    .execute();
}
