import { releaseHeld } from './dead-letters.ts';
import { notQuarantined } from '../http/errors.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { requireLead } from './require-lead.ts';

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
