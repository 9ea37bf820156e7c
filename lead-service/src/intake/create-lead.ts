import { hash } from 'node:crypto';
import type { LeadFields, LeadType } from '@countersign/contracts/lead';
import type { LeadAttribution, SubmissionMetadata } from '@countersign/contracts/lead-submission';
import type { LeadRow } from '../database/tables.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';

export interface SpamClassification {
  readonly score: number;
  /** Short texts for sales, such as `3 links in the message`. Never quote user text. */
  readonly reasons: readonly string[];
  /** Whether the lead waits in quarantine for a review. */
  readonly quarantined: boolean;
}

/** @param fingerprint equal for all retries of a lead, because a retry is no sign of spam */
export type Classify = (
  submission: LeadFields & SubmissionMetadata,
  fingerprint: string,
) => Promise<SpamClassification>;

const harmless: SpamClassification = { score: 0, reasons: [], quarantined: false };

/** Creates a lead from a submission, received now. */
export function createLead({
  type,
  fields: { name, email, company, message },
  attribution = {},
  classification = harmless,
}: {
  readonly type: LeadType;
  readonly fields: LeadFields;
  readonly attribution?: LeadAttribution;
  readonly classification?: SpamClassification;
}): LeadRow {
  const now = new Date();
  const receivedAt = now.toISOString();
  return {
    id: uuidV7(now.getTime()),
    type,
    name,
    email,
    company: company || null,
    message,
    receivedAt,
    attribution: JSON.stringify(attribution),
    releaseId: attribution.releaseId ?? null,
    spamScore: classification.score,
    spamReasons: JSON.stringify(classification.reasons),
    quarantinedAt: classification.quarantined ? receivedAt : null,
  };
}

/**
 * SHA-256 of the user text, in hexadecimal. Equal for equal leads, also if the address is capitalised differently. It is stored with
 * the idempotency key, to tell a retry from another lead, so a change of this function makes pending retries look like other leads.
 */
export function fingerprintOf(type: LeadType, { name, email, company = '', message }: LeadFields): string {
  return hash('sha256', JSON.stringify([type, name, email.toLowerCase(), company, message]));
}
