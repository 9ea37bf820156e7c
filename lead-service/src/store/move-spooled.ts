import type { Kysely } from 'kysely';
import { addressHash } from '../address-hash.ts';
import { acceptLeads, type AcceptedLead } from './accept-leads.ts';
import { idempotencyOfItself } from './idempotency-record.ts';
import type { Spool } from './spool.ts';
import type { Tables } from './tables.ts';

const mostAtOnce = 200;

/**
 * Moves the oldest leads of a spool into the database and returns how many left the spool. Broken off anywhere, the
 * next attempt finds by its idempotency record what has arrived already.
 */
export async function moveSpooled(spool: Spool, db: Kysely<Tables>): Promise<number> {
  const leads = await spool.oldest(mostAtOnce);
  if (leads.length === 0) return 0;
  const welcome = await withoutErased(db, leads);
  const outcomes = await acceptLeads(db, welcome);
  // Another lead came in under the same key. Both were thanked for.
  const strangers = welcome.filter((_lead, index) => outcomes[index]?.kind === 'key-reused');
  if (strangers.length > 0) {
    await acceptLeads(
      db,
      strangers.map((stranger) => ({ ...stranger, idempotency: idempotencyOfItself(stranger.lead) })),
    );
  }
  await spool.remove(leads.map(({ lead }) => lead.id));
  return leads.length;
}

/** Leaves out people whose data was erased while the lead waited. */
async function withoutErased(
  db: Kysely<Tables>,
  leads: readonly AcceptedLead[],
): Promise<readonly AcceptedLead[]> {
  const hashes = new Set(leads.map(({ lead }) => addressHash(lead.email)));
  const erasures = await db
    .selectFrom('erasures')
    .selectAll()
    .where('addressHash', 'in', [...hashes])
    .execute();
  const erasedAt = new Map(erasures.map((erasure) => [erasure.addressHash, erasure.erasedAt]));
  return leads.filter(({ lead }) => lead.receivedAt > (erasedAt.get(addressHash(lead.email)) ?? ''));
}
