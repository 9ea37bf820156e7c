import type { DeliveryKind, LeadRow, OutboxRow } from '../database/tables.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';

/**
 * Plans the deliveries of a lead: a mail to sales, a confirmation to the sender, and a webhook to each endpoint. Those of
 * a quarantined lead are held.
 *
 * @param webhooks names of the webhook endpoints
 * @param withheld why the sender gets no confirmation, if so
 */
export function planDeliveries(
  { id: leadId, receivedAt, quarantinedAt }: LeadRow,
  webhooks: readonly string[],
  withheld: string | null = null,
): OutboxRow[] {
  const row = (kind: DeliveryKind, target = ''): OutboxRow => ({
    id: uuidV7(Date.parse(receivedAt)),
    leadId,
    kind,
    target,
    state: quarantinedAt === null ? 'pending' : 'held',
    attempts: 0,
    nextAttemptAt: receivedAt,
    leasedUntil: null,
    createdAt: receivedAt,
    finishedAt: null,
    withheld: kind === 'confirmation-mail' ? withheld : null,
  });
  return [row('sales-mail'), row('confirmation-mail'), ...webhooks.map((name) => row('webhook', name))];
}
