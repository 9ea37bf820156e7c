import type { SuppressedAddressRow, Tables } from '../database/tables.ts';
import { recordAudit, readAudited } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import type { Kysely } from 'kysely';
import { addressHash } from '../platform/address-hash.ts';

/** Suppresses or allows confirmations to an address. */
export async function setSuppressed(
  { database, actor }: AdminContext,
  email: string,
  isSuppressed: boolean,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    if (isSuppressed) await suppressAddress(transaction, email, 'by hand');
    else await allowAddress(transaction, email);
    await recordAudit(transaction, actor, [
      { action: isSuppressed ? 'address.suppress' : 'address.unsuppress' },
    ]);
  });
}

/** Suppressed addresses, as hashes, the oldest first. */
export function readSuppressed(context: AdminContext): Promise<SuppressedAddressRow[]> {
  return readAudited(context, listSuppressed, (addresses) => [
    { action: 'address.list', details: { count: addresses.length } },
  ]);
}

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

function listSuppressed(db: Kysely<Tables>): Promise<SuppressedAddressRow[]> {
  return db.selectFrom('suppressedAddresses').selectAll().orderBy('createdAt').execute();
}
