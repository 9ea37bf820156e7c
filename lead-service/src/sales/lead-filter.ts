import { leadTypes, type LeadType } from '@countersign/contracts/lead';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { leadStatuses, type LeadStatus, type Tables } from '../store/tables.ts';
import { invalidRequest } from './sales-errors.ts';

/** Leads outside the quarantine, those inside it, or all. */
export const quarantineViews = ['without', 'only', 'with'] as const;
export type QuarantineView = (typeof quarantineViews)[number];

/** Which leads are meant. Those that have been erased never are: nothing is left to be read. */
export interface LeadFilter {
  readonly type: LeadType | undefined;
  readonly status: LeadStatus | undefined;
  /** Received at this moment or later. ISO 8601 in UTC. */
  readonly since: string | undefined;
  /** Received before this moment. ISO 8601 in UTC. */
  readonly until: string | undefined;
  readonly quarantine: QuarantineView;
}

/** What a person or a program has asked for: options of a command, or parameters of an address. */
export type FilterWords = Readonly<Partial<Record<keyof LeadFilter, string | readonly string[] | undefined>>>;

/** Reads a filter. Throws the answer that says what is wrong with it. An empty word is none, as forms send it. */
export function parseLeadFilter(words: FilterWords, quarantine: QuarantineView = 'without'): LeadFilter {
  return {
    type: choice('type', words.type, leadTypes),
    status: choice('status', words.status, leadStatuses),
    since: moment('since', words.since),
    until: moment('until', words.until),
    quarantine: choice('quarantine', words.quarantine, quarantineViews) ?? quarantine,
  };
}

/** The filter as a condition of a query on leads. */
export function matching({ type, status, since, until, quarantine }: LeadFilter) {
  return (eb: ExpressionBuilder<Tables, 'leads'>): Expression<SqlBool> =>
    eb.and([
      eb('erasedAt', 'is', null),
      ...(type === undefined ? [] : [eb('type', '=', type)]),
      ...(status === undefined ? [] : [eb('status', '=', status)]),
      ...(since === undefined ? [] : [eb('receivedAt', '>=', since)]),
      ...(until === undefined ? [] : [eb('receivedAt', '<', until)]),
      ...(quarantine === 'with' ? [] : [eb('quarantinedAt', quarantine === 'only' ? 'is not' : 'is', null)]),
    ]);
}

/** One of the words that a setting of this name knows, or undefined if there is none. Throws on any other. */
export function choice<Choice extends string>(
  name: string,
  word: FilterWords[keyof LeadFilter],
  choices: readonly Choice[],
): Choice | undefined {
  if (word === undefined || word === '') return undefined;
  const known = choices.find((each) => each === word);
  if (known === undefined) throw invalidRequest(`${name} must be ${choices.join(', ')}.`);
  return known;
}

const wellFormedMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** `2026-11-21`, the beginning of that day in UTC, or a whole ISO 8601 time with its zone. */
function moment(name: string, word: FilterWords[keyof LeadFilter]): string | undefined {
  if (word === undefined || word === '') return undefined;
  const time = typeof word === 'string' && wellFormedMoment.test(word) ? Date.parse(word) : Number.NaN;
  if (Number.isNaN(time)) {
    throw invalidRequest(`${name} must be a day such as 2026-11-21, or a time such as 2026-11-21T09:30:00Z.`);
  }
  return new Date(time).toISOString();
}
