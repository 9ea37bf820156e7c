import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { fileErrorMessage, isMissingFile } from './errors.ts';
import { ReleaseError } from './release-error.ts';

/**
 * Reads a JSON file that a person has written. Throws a {@link ReleaseError} if it cannot be read, or has another shape.
 *
 * @param kind what the file must be, such as `list of identities`
 * @param remedy says what to write into it
 */
export function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  kind: string,
  remedy: string,
): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const state = isMissingFile(cause) ? 'is missing' : `is not a valid ${kind}`;
    throw new ReleaseError(fileErrorMessage(cause) ?? `${file} ${state}. ${remedy}`, { cause });
  }
}
