import type { DeliveryKind, LeadRow, OutboxRow } from '../store/tables.ts';
import { uuidV7 } from '../uuid-v7.ts';

/**
 * What is to be sent because of a lead: mail to sales, a confirmation to the prospect, a webhook to each endpoint. A
 * lead in quarantine has the same, held back.
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
  return [row('sales-mail'), row('confirmation-mail'), ...webhooks.map((name) => row('webhook', name))];
}
