import { hash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { DatabaseTarget } from './database.ts';
import type { LeadRow, Tables } from './tables.ts';

/**
 * SHA-256 of an e-mail address, trimmed and in lower case, for the table of erasures, which must not store the address itself. By it, a
 * lead that leaves a spool, or is imported, after its address was erased is dropped.
 *
 * The hash is deliberately not keyed, so a reader of the database can confirm a guessed address. A key would prevent
 * that, but the hash of an erased address must stay stable for ever. Every instance computes it, leads
 * that leave a spool late need it, and the command line has no secret. It also must survive a rotation of the secret.
 */
export function addressHash(email: string): string {
  return hash('sha256', email.trim().toLowerCase());
}

/** Leaves out leads that came before their address was erased. Keeps others from erasing until the commit. */
export async function lockAndSkipErased<Row extends { readonly lead: Pick<LeadRow, 'email' | 'receivedAt'> }>(
  { db, access }: Pick<DatabaseTarget, 'access'> & { readonly db: Transaction<Tables> },
  leads: readonly Row[],
): Promise<readonly Row[]> {
  // An erasure that begins now waits for this commit, and then finds these leads. SQLite has one writer at a time anyway.
  if (access.hasSeveralWriters) await sql`lock table erasures in share row exclusive mode`.execute(db);
  const hashes = leads.map(({ lead }) => addressHash(lead.email));
  const rows = await db.selectFrom('erasures').selectAll().where('addressHash', 'in', hashes).execute();
  const erasedAt = new Map(rows.map((erasure) => [erasure.addressHash, erasure.erasedAt]));
  return leads.filter(({ lead }) => lead.receivedAt > (erasedAt.get(addressHash(lead.email)) ?? ''));
}
