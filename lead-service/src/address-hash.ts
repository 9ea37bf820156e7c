import { createHash } from 'node:crypto';

/** Stands for an e-mail address where the address itself must not be kept: SHA-256, however it is capitalised. */
export function addressHash(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
}
