import { sql, type Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { invalidRequest } from '../sales/sales-errors.ts';

/** An e-mail address as a person writes it who asks for their data. */
export function parseEmail(typed: unknown): string {
  const email = typeof typed === 'string' ? typed.trim() : '';
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalidRequest('email must be a whole e-mail address.');
  return email;
}

/** Leads of a person, however they capitalised their address. */
export function leadsOf(db: Kysely<Tables>, email: string) {
  return db
    .selectFrom('leads')
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .orderBy('id');
}
