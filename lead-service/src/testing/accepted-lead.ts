import type { AcceptedLead } from '../database/accept-leads.ts';
import { idempotencyRecord } from '../database/idempotency-record.ts';
import { planDeliveries } from '../delivery/plan-deliveries.ts';
import { fingerprintOf } from '../lead/fingerprint.ts';
import { createLead } from '../lead/lead.ts';
import { sampleLead } from './sample-lead.ts';

/** A lead for the store, received now. */
export function acceptedLead(message: string, key: string, email = sampleLead.email): AcceptedLead {
  const fields = { ...sampleLead, email, message };
  const lead = createLead({ type: 'contact', fields });
  return {
    lead,
    idempotency: idempotencyRecord(fingerprintOf(lead.type, fields), lead.receivedAt, key),
    outbox: planDeliveries(lead, []),
  };
}
