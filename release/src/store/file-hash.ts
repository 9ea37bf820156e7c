import { createHash } from 'node:crypto';

/** Subresource Integrity (SRI) value of a file: SHA-256, the shortest hash, because hashes cannot be compressed. */
export function integrityOf(bytes: Uint8Array, algorithm: 'sha256' | 'sha384' = 'sha256'): string {
  return `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
}

/** Whether a file has an SRI value. Versions that were published before SHA-256 was used keep their SHA-384. */
export function hasIntegrity(bytes: Uint8Array, integrity: string | undefined): boolean {
  return integrity === integrityOf(bytes, integrity?.startsWith('sha384-') ? 'sha384' : 'sha256');
}
