import * as z from 'zod/mini';
import { errorCode, isMissingFile } from '../store/is-missing-file.ts';
import { readRegularFile } from './regular-files.ts';
import { ReleaseError } from '../store/release-error.ts';

interface Messages {
  /** Complete message for a missing file. */
  readonly missing: string;
  /** What to do about an invalid file. */
  readonly remedy: string;
}

/** Reads and validates a JSON file. Throws a {@link ReleaseError} if it is missing or invalid. */
export async function readJsonFile<Content>(
  path: string,
  schema: z.ZodMiniType<Content>,
  { missing, remedy }: Messages,
): Promise<Content> {
  let content: unknown;
  try {
    content = JSON.parse((await readRegularFile(path)).toString());
  } catch (cause) {
    if (isMissingFile(cause)) throw new ReleaseError(missing, { cause });
    if (cause instanceof SyntaxError) {
      // The message quotes the file, which may be another one than its name says.
      const [place = ''] = / at position \d+.*/.exec(cause.message) ?? [];
      throw new ReleaseError(`${path} is not valid: it is not JSON${place}. ${remedy}`, { cause });
    }
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    throw new ReleaseError(`${path} cannot be read (${code}). Name a file that this user may read.`, {
      cause,
    });
  }
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  throw new ReleaseError(`${path} is not valid: ${z.prettifyError(result.error)}. ${remedy}`);
}
