import type { LeadStatus } from '../store/tables.ts';
import { recordAudit } from './audit.ts';
import type { Desk } from './desk.ts';
import { erasedLead, unknownLead } from './sales-errors.ts';

/** Says what sales has made of a lead. Any status may follow any other: people correct themselves. */
export async function setStatus({ database, actor }: Desk, id: string, status: LeadStatus): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    const lead = await transaction
      .selectFrom('leads')
      .select(['status', 'erasedAt'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (lead === undefined) throw unknownLead();
    if (lead.erasedAt !== null) throw erasedLead();
    await transaction.updateTable('leads').set({ status }).where('id', '=', id).execute();
    await recordAudit(transaction, actor, [
      { action: 'lead.set-status', leadId: id, details: { from: lead.status, to: status } },
    ]);
  });
}
