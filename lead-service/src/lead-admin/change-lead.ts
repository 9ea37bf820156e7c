import type { LeadStatus, LeadRow, Tables } from '../database/tables.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { holdUndelivered, releaseHeld } from './dead-letters.ts';
import { notQuarantined, erasedLead, unknownLead } from '../http/errors.ts';
import type { Transaction } from 'kysely';

/** Sets the status of a lead. Any transition is allowed, because people correct mistakes. */
export async function setStatus(
  { database, actor }: AdminContext,
  id: string,
  status: LeadStatus,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    const lead = await requireLead(transaction, id);
    await transaction.updateTable('leads').set({ status }).where('id', '=', id).execute();
    await recordAudit(transaction, actor, [
      { action: 'lead.set-status', leadId: id, details: { from: lead.status, to: status } },
    ]);
  });
}

/**
 * Puts a lead into quarantine, with the deliveries that are not made yet. Changes nothing else, so that `releaseLead`
 * reverts it. A lead in quarantine stays as it is.
 *
 * @returns the number of held deliveries
 */
export function holdLead({ database, actor }: AdminContext, id: string): Promise<number> {
  return database.db.transaction().execute(async (transaction) => {
    await requireLead(transaction, id);
    await transaction
      .updateTable('leads')
      .set({ quarantinedAt: new Date().toISOString() })
      .where('id', '=', id)
      .where('quarantinedAt', 'is', null)
      .where('erasedAt', 'is', null)
      .execute();
    const held = await holdUndelivered(transaction, id);
    await recordAudit(transaction, actor, [{ action: 'lead.spam', leadId: id, details: { held } }]);
    return held;
  });
}

/**
 * Releases a lead from quarantine, with its held deliveries.
 *
 * @returns the number of released deliveries
 */
export function releaseLead({ database, actor }: AdminContext, id: string): Promise<number> {
  return database.db.transaction().execute(async (transaction) => {
    // The update comes first, so that the second of two concurrent releases finds the lead released.
    const { numUpdatedRows } = await transaction
      .updateTable('leads')
      .set({ quarantinedAt: null })
      .where('id', '=', id)
      .where('quarantinedAt', 'is not', null)
      .where('erasedAt', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) {
      await requireLead(transaction, id);
      throw notQuarantined();
    }
    const released = await releaseHeld(transaction, id);
    await recordAudit(transaction, actor, [{ action: 'lead.not-spam', leadId: id, details: { released } }]);
    return released;
  });
}

/** Reads a lead that can be changed. Throws a 404 error, or a 409 error if it was erased. */
async function requireLead(transaction: Transaction<Tables>, id: string): Promise<LeadRow> {
  const lead = await transaction.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
  if (lead === undefined) throw unknownLead();
  if (lead.erasedAt !== null) throw erasedLead();
  return lead;
}
