import * as z from 'zod';
import { leadTypes } from '@countersign/contracts/lead';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { time, unlessEmpty } from '../platform/query-schemas.ts';
import { parseInput } from '../platform/refusal.ts';

/** Leads without, only or with those in quarantine. */
export const quarantineViews = ['without', 'only', 'with'] as const;
type QuarantineView = (typeof quarantineViews)[number];

function leadFilter(quarantine: QuarantineView) {
  return z.object({
    type: choice('type', leadTypes),
    since: time('since'),
    until: time('until'),
    quarantine: choice('quarantine', quarantineViews).transform((view) => view ?? quarantine),
  });
}

/** Selects leads. `since` and `until` are ISO 8601 in UTC. */
export type LeadFilter = z.output<ReturnType<typeof leadFilter>>;

/** Unvalidated options of a command, or query parameters. Empty values count as missing, because forms send them. */
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

/** Schema of an optional choice. */
function choice<const Choices extends readonly string[]>(name: string, choices: Choices) {
  return unlessEmpty(z.enum(choices, `${name} must be ${choices.join(', ')}.`));
}
