import { leadAttribution, type LeadAttribution } from '@countersign/contracts/lead-submission';
import type { LeadRow } from './tables.ts';

/** A stored lead with parsed attribution and reasons. */
export interface LeadView extends Omit<LeadRow, 'attribution' | 'spamReasons'> {
  readonly attribution: LeadAttribution;
  readonly spamReasons: readonly string[];
}

/** Picks the fields, because a stored row also has `searchText`, which no view or export shows. */
export function viewLead(row: LeadRow): LeadView {
  const { id, type, receivedAt, name, email, company, message } = row;
  const { releaseId, spamScore, quarantinedAt } = row;
  return {
    ...{ id, type, receivedAt, name, email, company, message },
    attribution: leadAttribution.parse(JSON.parse(row.attribution)),
    ...{ releaseId, spamScore },
    spamReasons: JSON.parse(row.spamReasons) as string[],
    quarantinedAt,
  };
}
