import { describeIssues, text } from '@countersign/contracts/settings';
import * as z from 'zod';
import { StartupError } from './explained-error.ts';

/** Schema of comma-separated values. */
export function list<Item extends z.ZodType<unknown, string>>(item: Item) {
  const split = text().transform((values) => values.split(',').map((value) => value.trim()));
  return split.transform((values) => values.filter((value) => value !== '')).pipe(z.array(item));
}

/** Reads settings from an environment. Throws a {@link StartupError} with all mistakes. */
export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> {
  const { data, error } = schema.safeParse(environment);
  if (error) throw new StartupError(describeIssues(error));
  return data;
}
