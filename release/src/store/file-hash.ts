import { createHash } from 'node:crypto';

/** Subresource Integrity (SRI) value of a file: SHA-256, the shortest hash, because hashes cannot be compressed. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
}
