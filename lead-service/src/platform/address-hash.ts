import { createHash } from 'node:crypto';

/**
 * SHA-256 of an e-mail address, trimmed and in lower case, for tables that must not store the address itself.
 *
 * The hash is deliberately not keyed, so a reader of the database can confirm a guessed address. A key would prevent
 * that, but the hash of an erased address must stay stable for ever. Every instance computes it, leads
 * that leave a spool late need it, and the command line has no secret. It also must survive a rotation of the secret.
 */
export function addressHash(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
}
