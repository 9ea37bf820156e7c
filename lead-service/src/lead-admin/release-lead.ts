import { releaseHeld } from '../delivery/dead-letters.ts';
import { recordAudit } from './audit.ts';
import type { Desk } from './desk.ts';
import { erasedLead, notQuarantined, unknownLead } from './sales-errors.ts';

/**
 * Takes a lead out of the quarantine: it is not spam. What was held back because of it is sent.
 *
 * @returns how many mails and webhooks will be sent
 */
export function releaseLead({ database, actor }: Desk, id: string): Promise<number> {
  return database.db.transaction().execute(async (transaction) => {
    // The update comes first: of two who release the same lead, the second one finds it released.
    const { numUpdatedRows } = await transaction
      .updateTable('leads')
      .set({ quarantinedAt: null })
      .where('id', '=', id)
      .where('quarantinedAt', 'is not', null)
      .where('erasedAt', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) {
      const lead = await transaction
        .selectFrom('leads')
        .select('erasedAt')
        .where('id', '=', id)
        .executeTakeFirst();
      if (lead === undefined) throw unknownLead();
      throw lead.erasedAt === null ? notQuarantined() : erasedLead();
    }
    const released = await releaseHeld(transaction, id);
    await recordAudit(transaction, actor, [{ action: 'lead.not-spam', leadId: id, details: { released } }]);
    return released;
  });
}
