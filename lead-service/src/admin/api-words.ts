import { mostListed } from '../sales/list-leads.ts';
import { invalidRequest } from '../sales/sales-errors.ts';

/** A text, if there is one. */
export function parseWord(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidRequest(`${name} must be one text.`);
  // PostgreSQL knows no text with such a character.
  if (value.includes('\0')) throw invalidRequest(`${name} must not hold the character NUL.`);
  return value;
}

/** The id in an address. */
export function parseId(value: unknown): string {
  return parseWord('id', value) ?? '';
}

/** How many things a page may hold. */
export function parseLimit(value: unknown, initial: number): number {
  if (value === undefined) return initial;
  const limit = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= mostListed) return limit;
  throw invalidRequest(`limit must be a whole number from 1 to ${mostListed}.`);
}

export function parseIds(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) return value.map(parseId);
  throw invalidRequest('Name what to send again in "ids", or say "all": true.');
}
