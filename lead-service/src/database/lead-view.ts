import { leadAttribution } from '@countersign/contracts/lead-submission';
import { type LeadRow, leadSchema, type LeadView } from './tables.ts';

const names = Object.keys(leadSchema.shape) as (keyof LeadRow)[];

/** Parses attribution and reasons. Picks the fields, because a stored row also has `searchText`, which no view or export shows. */
export function viewLead(row: LeadRow): LeadView {
  const picked = Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as LeadRow;
  return {
    ...picked,
    attribution: leadAttribution.parse(JSON.parse(row.attribution)),
    spamReasons: JSON.parse(row.spamReasons) as string[],
  };
}

/** The row of a parsed lead. */
export function rowOf({ attribution, spamReasons, ...fields }: LeadView): LeadRow {
  return { ...fields, attribution: JSON.stringify(attribution), spamReasons: JSON.stringify(spamReasons) };
}
