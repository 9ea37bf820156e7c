import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Removes leads, also from a spool, with all rows that belong to them. Returns the number of leads. */
export async function removeLeads(
  transaction: Transaction<Tables>,
  leadIds: readonly string[],
): Promise<number> {
  const outbox = await transaction
    .deleteFrom('outbox')
    .where('leadId', 'in', leadIds)
    .returning('id')
    .execute();
  // After their deliveries, which a worker locks while it records an attempt.
  const ids = outbox.map(({ id }) => id);
  if (ids.length > 0) await transaction.deleteFrom('deliveryAttempts').where('outboxId', 'in', ids).execute();
  await transaction.deleteFrom('idempotencyRecords').where('leadId', 'in', leadIds).execute();
  const leads = transaction.deleteFrom('leads').where('id', 'in', leadIds);
  return Number((await leads.executeTakeFirstOrThrow()).numDeletedRows);
}
