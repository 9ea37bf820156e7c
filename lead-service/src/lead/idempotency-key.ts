import * as z from 'zod/mini';
import { malformedIdempotencyKey } from '../http/errors.ts';

/**
 * A structured field string (RFC 9651): printable ASCII in double quotes, with `\` as the escape for quotes and itself.
 */
const structuredString = /^ *"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)" *$/;
const maxCharacters = 255;

/** Schema of the sender's key in the `Idempotency-Key` header (draft 07). Throws if it is malformed. */
export const idempotencyKey = z
  .pipe(z.string(), z.transform(unquoted))
  .check(
    z.describe(
      'Makes retries idempotent: a string of 1 to 255 characters in double quotes, unique for each lead.',
    ),
  );

function unquoted(header: string): string {
  const key = structuredString.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (key === undefined || key.length > maxCharacters) throw malformedIdempotencyKey();
  return key;
}
