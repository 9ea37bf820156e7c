import { sql, type Kysely } from 'kysely';
import type { LeadRow, Tables } from '../store/tables.ts';
import { invalidRequest } from '../sales/sales-errors.ts';

/** An e-mail address as a person writes it who asks for their data. */
export function parseEmail(typed: unknown): string {
  const email = typeof typed === 'string' ? typed.trim() : '';
  if (!/^[^\s@\0]+@[^\s@\0]+$/.test(email)) throw invalidRequest('email must be a whole e-mail address.');
  return email;
}

/** Leads of a person, however they capitalised their address. */
export function leadsOf(db: Kysely<Tables>, email: string) {
  return db
    .selectFrom('leads')
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .orderBy('id');
}

/** A statement takes only so many values, and nobody else writes into SQLite meanwhile. */
const pageSize = 200;

/** Some leads of a person, after the one that was last before, the oldest first. None: there are no more. */
export function pageOf(db: Kysely<Tables>, email: string, after = ''): Promise<LeadRow[]> {
  return leadsOf(db, email).selectAll().where('id', '>', after).limit(pageSize).execute();
}
