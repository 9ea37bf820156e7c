import type { LeadStatus } from '../database/tables.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { requireLead } from './require-lead.ts';

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
