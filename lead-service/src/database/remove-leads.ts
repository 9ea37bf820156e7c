import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Removes leads, also from a spool, with all rows that belong to them. Returns the number of leads. */
export async function removeLeads(
  transaction: Transaction<Tables>,
  leadIds: readonly string[],
): Promise<number> {
  await transaction
    .deleteFrom('deliveryAttempts')
    .where('outboxId', 'in', ({ selectFrom }) =>
      selectFrom('outbox').select('outbox.id').where('leadId', 'in', leadIds),
    )
    .execute();
  await transaction.deleteFrom('outbox').where('leadId', 'in', leadIds).execute();
  await transaction.deleteFrom('idempotencyRecords').where('leadId', 'in', leadIds).execute();
  const leads = transaction.deleteFrom('leads').where('id', 'in', leadIds);
  return Number((await leads.executeTakeFirstOrThrow()).numDeletedRows);
}
