import { mostListed } from '../sales/list-leads.ts';
import { invalidRequest } from '../sales/sales-errors.ts';

/** A text, if there is one. */
export function parseWord(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  throw invalidRequest(`${name} must be one text.`);
}

/** How many things a page may hold. */
export function parseLimit(value: unknown, initial: number): number {
  if (value === undefined) return initial;
  const limit = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= mostListed) return limit;
  throw invalidRequest(`limit must be a whole number from 1 to ${mostListed}.`);
}

export function parseIds(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string')) return value;
  throw invalidRequest('Name what to send again in "ids", or say "all": true.');
}
