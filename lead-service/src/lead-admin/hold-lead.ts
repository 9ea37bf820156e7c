import { holdUndelivered } from './dead-letters.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { requireLead } from './require-lead.ts';

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
