import type { Transaction } from 'kysely';
import type { LeadRow, Tables } from '../database/tables.ts';
import { erasedLead, unknownLead } from '../http/errors.ts';

/** Reads a lead that can be changed. Throws a 404 error, or a 409 error if it was erased. */
export async function requireLead(transaction: Transaction<Tables>, id: string): Promise<LeadRow> {
  const lead = await transaction.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
  if (lead === undefined) throw unknownLead();
  if (lead.erasedAt !== null) throw erasedLead();
  return lead;
}
