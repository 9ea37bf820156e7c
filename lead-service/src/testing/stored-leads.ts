import type { LeadRow } from '../database/tables.ts';
import type { ServedStores } from './served-app.ts';

/** The stored leads of a served app, the oldest first. */
export function storedLeads({ stores }: ServedStores): Promise<LeadRow[]> {
  return stores.database.db.selectFrom('leads').selectAll().orderBy('id').execute();
}

/** Spam reasons of the newest lead, and whether it is in quarantine. */
export async function newestClassification(app: ServedStores): Promise<{ reasons: string; held: boolean }> {
  const lead = (await storedLeads(app)).at(-1);
  if (lead === undefined) throw new Error('Nothing is stored.');
  return { reasons: lead.spamReasons, held: lead.quarantinedAt !== null };
}
