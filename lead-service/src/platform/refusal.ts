import * as z from 'zod';
import { ExplainedError } from './explained-error.ts';

/** A validation error of one field, worded for the visitor. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Stable, because clients may depend on it. `http/errors.ts` has the status of each, and `cli/main.ts` the exit code. */
export type RefusalKind =
  | 'invalid-lead'
  | 'invalid-request'
  | 'malformed-report'
  | 'unknown-lead'
  | 'not-quarantined'
  | 'key-reused'
  | 'store-unavailable';

/** Why the service does not do what a caller asks for. An expected error, whose message is a sentence for the caller. */
export class Refusal extends ExplainedError {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  readonly fieldErrors: readonly FieldError[] | undefined;

  constructor(kind: RefusalKind, message: string, fieldErrors?: readonly FieldError[]) {
    super(message);
    this.kind = kind;
    this.fieldErrors = fieldErrors;
  }
}

export function unknownLead(): Refusal {
  return new Refusal('unknown-lead', 'There is no lead with this id. Look it up in the list.');
}

/** @param problem what is wrong and what to do, without user text */
export function invalidRequest(problem: string): Refusal {
  return new Refusal('invalid-request', problem);
}

/** Parses with a schema whose messages are sentences for the caller. Throws the refusal that `invalid` makes of all of them. */
export function parseInput<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  invalid: (errors: readonly FieldError[]) => Refusal = ([first]) => invalidRequest(first?.message ?? ''),
): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, value);
  if (success) return data;
  throw invalid(error.issues.map(({ path, message }) => ({ field: path.join('.'), message })));
}
