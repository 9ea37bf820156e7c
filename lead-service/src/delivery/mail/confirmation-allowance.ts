import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { addressHash, mailboxOf } from '../../platform/address-hash.ts';

/**
 * Claims the daily confirmation (UTC) of a mailbox for a delivery and all its attempts. Returns the reason for a refusal,
 * or undefined if the confirmation may be sent.
 */
export async function confirmationRefusal(
  db: Kysely<Tables>,
  email: string,
  outboxId: string,
  now: Date,
): Promise<string | undefined> {
  const hash = addressHash(mailboxOf(email));
  const suppressed = await db
    .selectFrom('suppressedAddresses')
    .select('addressHash')
    .where('addressHash', 'in', [hash, addressHash(email)])
    .executeTakeFirst();
  if (suppressed !== undefined) return 'The address is on the suppression list.';

  const day = now.toISOString().slice(0, '2026-11-21'.length);
  await db
    .insertInto('confirmationDays')
    .values({ addressHash: hash, day, outboxId })
    .onConflict((conflict) => conflict.columns(['addressHash', 'day']).doNothing())
    .execute();
  const holder = await db
    .selectFrom('confirmationDays')
    .select('outboxId')
    .where('addressHash', '=', hash)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return holder.outboxId === outboxId ? undefined : 'The address has had a confirmation today.';
}
