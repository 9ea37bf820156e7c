import { hash } from 'node:crypto';

/** Subresource Integrity (SRI) value of a file: SHA-256, the shortest hash, because hashes cannot be compressed. */
export function integrityOf(content: string | Uint8Array): string {
  return `sha256-${hash('sha256', content, 'base64')}`;
}
