import { createHash } from 'node:crypto';

/** Subresource Integrity (SRI) value of a file. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}
