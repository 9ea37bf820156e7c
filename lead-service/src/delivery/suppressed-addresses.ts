import type { Kysely } from 'kysely';
import { addressHash } from '../address-hash.ts';
import type { SuppressedAddressRow, Tables } from '../store/tables.ts';

/** Keeps confirmations from an address from now on. The address itself is not kept. */
export async function suppressAddress(db: Kysely<Tables>, email: string, reason: string): Promise<void> {
  await db
    .insertInto('suppressedAddresses')
    .values({ addressHash: addressHash(email), reason, createdAt: new Date().toISOString() })
    .onConflict((conflict) => conflict.column('addressHash').doUpdateSet({ reason }))
    .execute();
}

/** Lets an address have confirmations again. Returns whether it had been kept from them. */
export async function allowAddress(db: Kysely<Tables>, email: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('suppressedAddresses')
    .where('addressHash', '=', addressHash(email))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0;
}

/** All addresses that get no confirmation, as hashes, oldest first. */
export function listSuppressed(db: Kysely<Tables>): Promise<SuppressedAddressRow[]> {
  return db.selectFrom('suppressedAddresses').selectAll().orderBy('createdAt').execute();
}
