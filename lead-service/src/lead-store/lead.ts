import { hash } from 'node:crypto';
import type { LeadAttribution } from '@countersign/contracts/lead-submission';

/** The versions that the sender's page showed, as text: `shell 1.0.0 (stable), mf-pricing 1.1.0 (canary)`. */
export function describeParts({ parts = [] }: LeadAttribution): string {
  return parts.map(({ part, version, group }) => `${part} ${version} (${group})`).join(', ');
}

/** The known facts of an attribution, each with its label. */
export function describeAttribution(attribution: LeadAttribution): [label: string, value: string][] {
  const facts = { ...attribution, parts: describeParts(attribution) };
  return Object.entries(facts).flatMap(([name, value]) => (value ? [[labelOf(name), value]] : []));
}

/** `utmSource` → `UTM source`. */
function labelOf(name: string): string {
  const spaced = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^utm/, 'UTM');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * SHA-256 of an e-mail address, trimmed and in lower case, for the table of erasures, which must not store the address itself. By it, a
 * lead that leaves a spool after its address was erased is dropped.
 *
 * The hash is deliberately not keyed, so a reader of the database can confirm a guessed address. A key would prevent
 * that, but the hash of an erased address must stay stable for ever. Every instance computes it, leads
 * that leave a spool late need it, and the command line has no secret. It also must survive a rotation of the secret.
 */
export function addressHash(email: string): string {
  return hash('sha256', email.trim().toLowerCase());
}
