import { normalizeEmail } from '@countersign/contracts/lead';
import { sql } from 'kysely';
import * as z from 'zod';
import { addressHash } from '../database/erasures.ts';
import { parseInput } from '../platform/refusal.ts';
import type { AdminContext } from './admin-context.ts';
import { deleteLeads } from './delete-leads.ts';

const emailMessage = 'Name a complete e-mail address.';
const personEmail = z
  .string(emailMessage)
  .overwrite(normalizeEmail)
  .regex(/^[^\s@\0]+@[^\s@\0]+$/, emailMessage);

/**
 * Deletes all leads of an e-mail address, with their deliveries and attempts: in the database, and in the spool and mail files of one
 * data directory. Mail files of another instance stay, also on the same machine, and no repetition finds them, because the rows that
 * name them are gone. An earlier lead in another spool is dropped when it is moved. Throws a refusal if the address is none. Returns
 * the number of leads.
 */
export async function eraseLeadsOf(context: AdminContext, typed: string): Promise<number> {
  const email = parseInput(personEmail, typed);
  // Committed first, so that every later move from a spool drops these leads. The deletion finds those moved before.
  const erasedAt = new Date().toISOString();
  await context.database.db
    .insertInto('erasures')
    .values({ addressHash: addressHash(email), erasedAt })
    .onConflict((conflict) => conflict.column('addressHash').doUpdateSet({ erasedAt }))
    .execute();
  // In lower case on both sides, because `normalizeEmail` keeps the case. `addressHash` lowers it itself.
  return deleteLeads(context, sql<boolean>`lower(email) = ${email.toLowerCase()}`);
}
