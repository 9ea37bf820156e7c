import { hash } from 'node:crypto';
import type { LeadFields, LeadType } from '@countersign/contracts/lead';

/**
 * SHA-256 of the user text, in hexadecimal. Equal for equal leads, also if the address is capitalised differently. JSON
 * separates the texts unambiguously.
 */
export function fingerprintOf(type: LeadType, { name, email, company = '', message }: LeadFields): string {
  return hash('sha256', JSON.stringify([type, name, email.toLowerCase(), company, message]));
}
