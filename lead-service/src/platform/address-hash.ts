import { createHash } from 'node:crypto';

/** The address in lower case and without the tag that many providers ignore: `ada+news@…` is `ada@…`. */
export function mailboxOf(email: string): string {
  return email
    .trim()
    .toLowerCase()
    .replace(/(?<=[^+])\+[^@]*(?=@)/, '');
}

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
