import { leadAttribution, type LeadAttribution, type LeadType } from '@countersign/contracts/lead';
import type { LeadRow, LeadStatus } from '../database/tables.ts';

/** A lead as shown to sales, in JSON and elsewhere. */
export interface LeadView {
  readonly id: string;
  readonly type: LeadType;
  readonly status: LeadStatus;
  /** ISO 8601 in UTC, like all times here. */
  readonly receivedAt: string;
  readonly name: string;
  readonly email: string;
  readonly company: string | null;
  readonly message: string;
  readonly attribution: LeadAttribution;
  readonly releaseId: string | null;
  readonly spamScore: number;
  readonly spamReasons: readonly string[];
  readonly quarantinedAt: string | null;
  readonly erasedAt: string | null;
}

export function viewLead(row: LeadRow): LeadView {
  const { id, type, status, receivedAt, name, email, company, message } = row;
  const { releaseId, spamScore, quarantinedAt, erasedAt } = row;
  return {
    ...{ id, type, status, receivedAt, name, email, company, message },
    attribution: leadAttribution.parse(JSON.parse(row.attribution)),
    ...{ releaseId, spamScore },
    spamReasons: JSON.parse(row.spamReasons) as string[],
    ...{ quarantinedAt, erasedAt },
  };
}
