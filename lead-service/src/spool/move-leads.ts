import type { Transaction } from 'kysely';
import { addressHash } from '../address-hash.ts';
import { acceptLeads, type AcceptedLead } from './accept-leads.ts';
import type { Database } from './database.ts';
import { idempotencyOfItself } from './idempotency-record.ts';
import type { Spool } from './spool.ts';
import type { Tables } from './tables.ts';

/** Before every time. */
const notErased = '';

/**
 * Moves leads out of a spool into the database. Broken off anywhere, the next attempt finds by their identifiers which
 * have arrived, whatever has become of their keys meanwhile.
 */
export async function moveLeads(
  leads: readonly AcceptedLead[],
  spool: Spool,
  { db, access }: Pick<Database, 'db' | 'access'>,
): Promise<void> {
  if (leads.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    const welcome = await withoutErased(transaction, await withoutArrived(transaction, leads));
    const outcomes = await acceptLeads({ db: transaction, access }, welcome);
    // Another lead holds the key and is none of theirs: both were thanked for.
    const strangers = welcome.filter((_lead, index) => outcomes[index]?.kind === 'key-reused');
    await acceptLeads(
      { db: transaction, access },
      strangers.map((stranger) => ({ ...stranger, idempotency: idempotencyOfItself(stranger.lead) })),
    );
  });
  await spool.remove(leads.map(({ lead }) => lead.id));
}

/** A commit whose answer was lost may have been one. */
async function withoutArrived(
  transaction: Transaction<Tables>,
  leads: readonly AcceptedLead[],
): Promise<readonly AcceptedLead[]> {
  const ids = leads.map(({ lead }) => lead.id);
  const rows = await transaction.selectFrom('leads').select('id').where('id', 'in', ids).execute();
  const arrived = new Set(rows.map(({ id }) => id));
  return leads.filter(({ lead }) => !arrived.has(lead.id));
}

/**
 * Leaves out people whose data was erased while the lead waited. Whoever erases one of the others waits from now on, until
 * the leads are committed and so can be found.
 */
async function withoutErased(
  transaction: Transaction<Tables>,
  leads: readonly AcceptedLead[],
): Promise<readonly AcceptedLead[]> {
  if (leads.length === 0) return leads;
  // In one order: two machines that move leads of the same people never wait for each other.
  const hashes = [...new Set(leads.map(({ lead }) => addressHash(lead.email)))].sort();
  // Reading would keep nobody from erasing. Writing does, also where there is nothing to be read.
  const erasures = await transaction
    .insertInto('erasures')
    .values(hashes.map((hash) => ({ addressHash: hash, erasedAt: notErased })))
    .onConflict((conflict) =>
      conflict.column('addressHash').doUpdateSet(({ ref }) => ({ erasedAt: ref('erasures.erasedAt') })),
    )
    .returningAll()
    .execute();
  // Others still wait, until the transaction ends, and never see these rows.
  await transaction
    .deleteFrom('erasures')
    .where('addressHash', 'in', hashes)
    .where('erasedAt', '=', notErased)
    .execute();
  const erasedAt = new Map(erasures.map((erasure) => [erasure.addressHash, erasure.erasedAt]));
  return leads.filter(({ lead }) => lead.receivedAt > (erasedAt.get(addressHash(lead.email)) ?? notErased));
}
