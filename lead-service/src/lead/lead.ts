import type { LeadAttribution, LeadFields, LeadType } from '@countersign/contracts/lead';
import type { LeadRow } from './store/tables.ts';
import { uuidV7 } from './uuid-v7.ts';

/** What the service thinks of a lead. */
export interface SpamVerdict {
  readonly score: number;
  /** Each a short text for sales: `3 links in the message`. Quotes nothing that was typed. */
  readonly reasons: readonly string[];
  /** Whether it is held back until a person has looked at it. */
  readonly quarantined: boolean;
}

export const unsuspicious: SpamVerdict = { score: 0, reasons: [], quarantined: false };

interface ReceivedLead {
  readonly type: LeadType;
  readonly fields: LeadFields;
  readonly attribution?: LeadAttribution;
  readonly verdict?: SpamVerdict;
}

/** Makes a lead of what a person sent, received now. */
export function createLead({
  type,
  fields: { name, email, company, message },
  attribution = {},
  verdict = unsuspicious,
}: ReceivedLead): LeadRow {
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
    status: 'new',
    attribution: JSON.stringify(attribution),
    releaseId: attribution.releaseId ?? null,
    spamScore: verdict.score,
    spamReasons: JSON.stringify(verdict.reasons),
    quarantinedAt: verdict.quarantined ? receivedAt : null,
    erasedAt: null,
  };
}
