import { leadTypes } from '@countersign/contracts/lead';
import { leadAttribution } from '@countersign/contracts/lead-submission';
import * as z from 'zod/mini';
import { leadStatuses, type LeadRow } from '../database/tables.ts';

export const quantity = z.int().check(z.gte(0));

/** A time as the API returns it. */
export const utcTime = z.string().check(z.meta({ format: 'date-time', description: 'ISO 8601 in UTC.' }));

/** A lead as shown to sales, in JSON and elsewhere. */
export const leadView = z
  .object({
    id: z.string(),
    type: z.enum(leadTypes),
    status: z.enum(leadStatuses),
    receivedAt: utcTime,
    name: z.string(),
    email: z.string(),
    company: z.nullable(z.string()),
    message: z.string(),
    attribution: leadAttribution,
    releaseId: z.nullable(z.string()),
    spamScore: z.number(),
    spamReasons: z.array(z.string()),
    quarantinedAt: z.nullable(utcTime),
    erasedAt: z.nullable(utcTime),
  })
  .register(z.globalRegistry, { id: 'Lead' });
export type LeadView = Readonly<z.output<typeof leadView>>;

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
