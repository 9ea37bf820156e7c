import type { LeadRow } from '../store/tables.ts';
import type { ServedStores } from './served-app.ts';

/** The leads that a served app has stored, the oldest first. */
export function storedLeads({ stores }: ServedStores): Promise<LeadRow[]> {
  return stores.database.db.selectFrom('leads').selectAll().orderBy('id').execute();
}

/** Why the newest lead was taken for spam, and whether it is held back. */
export async function newestVerdict(app: ServedStores): Promise<{ reasons: string; held: boolean }> {
  const lead = (await storedLeads(app)).at(-1);
  if (lead === undefined) throw new Error('Nothing is stored.');
  return { reasons: lead.spamReasons, held: lead.quarantinedAt !== null };
}
