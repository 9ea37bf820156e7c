import { createHash } from 'node:crypto';

/**
 * Stands for an e-mail address where the address itself must not be kept: SHA-256, however it is capitalised.
 *
 * Whoever has the database can try out addresses: this keeps them from being read, and hides none that can be guessed. A
 * key would, and is left out on purpose. An address that wants no confirmations, or that was erased, must be recognised
 * for ever: by every instance, by a lead that comes out of a spool much later, by the command line, which has no secret,
 * and after the secret was changed.
 */
export function addressHash(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
}
