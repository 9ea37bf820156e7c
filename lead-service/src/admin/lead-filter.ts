import * as z from 'zod';
import { leadTypes } from '@countersign/contracts/lead';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { dayOrTime } from '../platform/day-or-time.ts';
import { parseInput } from '../platform/refusal.ts';

/** Leads without, only or with those in quarantine. */
export const quarantineViews = ['without', 'only', 'with'] as const;
type QuarantineView = (typeof quarantineViews)[number];

function leadFilter(quarantine: QuarantineView) {
  return z.object({
    type: z.enum(leadTypes).optional(),
    since: dayOrTime('since').optional(),
    until: dayOrTime('until').optional(),
    quarantine: z
      .enum(quarantineViews, `quarantine must be ${quarantineViews.join(', ')}.`)
      .default(quarantine),
  });
}

/** Selects leads. `since` and `until` are ISO 8601 in UTC. */
export type LeadFilter = z.output<ReturnType<typeof leadFilter>>;

/** Unvalidated options of a command, or query parameters. */
export type FilterParameters = Readonly<
  Partial<Record<keyof LeadFilter, string | readonly string[] | undefined>>
>;

/**
 * Validates a filter. Throws a refusal.
 *
 * @param quarantine which leads to select if the parameters do not say
 */
export function parseLeadFilter(
  parameters: FilterParameters,
  quarantine: QuarantineView = 'without',
): LeadFilter {
  return parseInput(leadFilter(quarantine), parameters);
}

/** The filter as a query condition on leads. */
export function matching({ type, since, until, quarantine }: LeadFilter) {
  return (eb: ExpressionBuilder<Tables, 'leads'>): Expression<SqlBool> =>
    eb.and([
      ...(type === undefined ? [] : [eb('type', '=', type)]),
      ...(since === undefined ? [] : [eb('receivedAt', '>=', since)]),
      ...(until === undefined ? [] : [eb('receivedAt', '<', until)]),
      ...(quarantine === 'with' ? [] : [eb('quarantinedAt', quarantine === 'only' ? 'is not' : 'is', null)]),
    ]);
}
