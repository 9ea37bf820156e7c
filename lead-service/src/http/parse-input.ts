import type * as z from 'zod/mini';
import { invalidRequest } from './errors.ts';
import type { DefinedError, FieldError } from './http-error.ts';

/** Parses with a schema whose messages are sentences for the caller. Throws `invalid` with all of them. */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  invalid: DefinedError<readonly FieldError[]> = invalidRequest,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw invalid(error.issues.map(({ path, message }) => ({ field: path.join('.'), message })));
}
