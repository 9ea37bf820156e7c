import type { Transaction } from 'kysely';
import { acceptLeads, type AcceptedLead } from '../database/accept-leads.ts';
import type { Database } from '../database/database.ts';
import { idempotencyOfItself } from '../database/idempotency-record.ts';
import type { Tables } from '../database/tables.ts';
import { addressHash } from '../platform/address-hash.ts';
import type { Spool } from './spool.ts';

/** Sorts before every timestamp. */
const notErased = '';

/**
 * Moves leads from a spool into the database. It is safe to retry after a failure at any point. The next attempt finds
 * the committed leads by their ids, even if their keys have changed.
 */
export async function moveLeads(
  leads: readonly AcceptedLead[],
  spool: Spool,
  { db, access }: Pick<Database, 'db' | 'access'>,
): Promise<void> {
  if (leads.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    const remaining = await withoutErased(transaction, await withoutArrived(transaction, leads));
    const outcomes = await acceptLeads({ db: transaction, access }, remaining);
    // Their key belongs to a different lead. They need records of their own, because both senders got a success
    // response.
    const conflicting = remaining.filter((_lead, index) => outcomes[index]?.kind === 'key-reused');
    await acceptLeads(
      { db: transaction, access },
      conflicting.map((accepted) => ({ ...accepted, idempotency: idempotencyOfItself(accepted.lead) })),
    );
  });
  await spool.remove(leads.map(({ lead }) => lead.id));
}

/**
 * Leaves out leads that are in the database already, because a commit may have succeeded although its response was
 * lost.
 */
async function withoutArrived(
  transaction: Transaction<Tables>,
  leads: readonly AcceptedLead[],
): Promise<readonly AcceptedLead[]> {
  const ids = leads.map(({ lead }) => lead.id);
  const rows = await transaction.selectFrom('leads').select('id').where('id', 'in', ids).execute();
  const arrived = new Set(rows.map(({ id }) => id));
  return leads.filter(({ lead }) => !arrived.has(lead.id));
}

/** Leaves out leads of people whose data was erased meanwhile. */
async function withoutErased(
  transaction: Transaction<Tables>,
  leads: readonly AcceptedLead[],
): Promise<readonly AcceptedLead[]> {
  const erasures = await lockErasures(
    transaction,
    leads.map(({ lead }) => lead.email),
  );
  return leads.filter(({ lead }) => lead.receivedAt > (erasures.get(addressHash(lead.email)) ?? notErased));
}

/**
 * Returns when addresses were erased, by their hash. Locks the other addresses, so that a concurrent erasure waits for this
 * commit and then finds the leads that this transaction stores.
 */
async function lockErasures(
  transaction: Transaction<Tables>,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  // Sorted, so that two instances that move leads of the same people cannot deadlock.
  const hashes = [...new Set(emails.map(addressHash))].sort();
  // An insert instead of a select, because only a write locks the row against concurrent erasures, even a missing row.
  const erasures = await transaction
    .insertInto('erasures')
    .values(hashes.map((hash) => ({ addressHash: hash, erasedAt: notErased })))
    .onConflict((conflict) =>
      conflict.column('addressHash').doUpdateSet(({ ref }) => ({ erasedAt: ref('erasures.erasedAt') })),
    )
    .returningAll()
    .execute();
  // Removes the placeholder rows. Concurrent erasures wait until the commit and never see them.
  await transaction
    .deleteFrom('erasures')
    .where('addressHash', 'in', hashes)
    .where('erasedAt', '=', notErased)
    .execute();
  return new Map(erasures.map((erasure) => [erasure.addressHash, erasure.erasedAt]));
}
