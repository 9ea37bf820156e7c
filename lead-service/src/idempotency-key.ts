import type { IncomingHttpHeaders } from 'node:http';
import { idempotencyKeyHeader } from '@countersign/contracts/lead';
import { malformedIdempotencyKey } from './errors.ts';

/** A structured string (RFC 9651): printable ASCII in double quotes, with `\` before a quote and before itself. */
const structuredString = /^ *"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)" *$/;
const mostCharacters = 255;

/** The sender's key out of the header `Idempotency-Key` (draft 07), if there is one. Throws when it is not well-formed. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers[idempotencyKeyHeader.toLowerCase()];
  if (header === undefined) return undefined;
  const key = structuredString.exec(String(header))?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (key === undefined || key.length > mostCharacters) throw malformedIdempotencyKey();
  return key;
}
