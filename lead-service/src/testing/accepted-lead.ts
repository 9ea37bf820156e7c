import { planDeliveries } from '../delivery/plan-deliveries.ts';
import { createLead } from '../lead.ts';
import type { AcceptedLead } from '../store/accept-leads.ts';
import { idempotencyRecord } from '../store/idempotency-record.ts';
import { sampleLead } from './sample-lead.ts';

/** A lead as the store takes it, received now. */
export function acceptedLead(message: string, key: string, email = sampleLead.email): AcceptedLead {
  const fields = { ...sampleLead, email, message };
  const lead = createLead({ type: 'contact', fields });
  return {
    lead,
    idempotency: idempotencyRecord(lead.type, fields, lead.receivedAt, key),
    outbox: planDeliveries(lead, []),
  };
}
