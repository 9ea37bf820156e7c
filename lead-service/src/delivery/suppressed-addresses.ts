import type { Kysely } from 'kysely';
import type { SuppressedAddressRow, Tables } from '../database/tables.ts';
import { addressHash } from '../platform/address-hash.ts';

/** Suppresses confirmations to an address. Stores only its hash. */
export async function suppressAddress(db: Kysely<Tables>, email: string, reason: string): Promise<void> {
  await db
    .insertInto('suppressedAddresses')
    .values({ addressHash: addressHash(email), reason, createdAt: new Date().toISOString() })
    .onConflict((conflict) => conflict.column('addressHash').doUpdateSet({ reason }))
    .execute();
}

/** Ends the suppression of an address. Returns whether it was suppressed. */
export async function allowAddress(db: Kysely<Tables>, email: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('suppressedAddresses')
    .where('addressHash', '=', addressHash(email))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0;
}

/** All suppressed addresses, as hashes, the oldest first. */
export function listSuppressed(db: Kysely<Tables>): Promise<SuppressedAddressRow[]> {
  return db.selectFrom('suppressedAddresses').selectAll().orderBy('createdAt').execute();
}
