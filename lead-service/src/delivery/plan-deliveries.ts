import type { DeliveryKind, LeadRow, OutboxRow } from '../database/tables.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';

/**
 * Plans the deliveries of a lead: a mail to sales, and a webhook to each endpoint. Those of a quarantined lead are held.
 *
 * @param webhooks names of the webhook endpoints
 */
export function planDeliveries(
  { id: leadId, receivedAt, quarantinedAt }: LeadRow,
  webhooks: readonly string[],
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
  });
  return [row('sales-mail'), ...webhooks.map((name) => row('webhook', name))];
}
