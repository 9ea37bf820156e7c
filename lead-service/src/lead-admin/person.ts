import { normalizeEmail } from '@countersign/contracts/email-address';
import { sql, type Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { LeadRow, Tables } from '../database/tables.ts';
import { mailboxOf } from '../platform/address-hash.ts';
import { parseInput } from '../http/parse-input.ts';

const emailMessage = 'email must be a complete e-mail address.';

/** Schema of the e-mail address of a person, in the spelling of leads. */
export const personEmail = z
  .string(emailMessage)
  .check(z.overwrite(normalizeEmail), z.regex(/^[^\s@\0]+@[^\s@\0]+$/, emailMessage));

/** Validates the e-mail address of a person. Throws a 422 error. */
export function parseEmail(typed: unknown): string {
  return parseInput(personEmail, typed);
}

/** Condition for leads of a mailbox: of the address without a tag, or with any (`ada+news@…`). */
export function inMailbox(email: string) {
  const mailbox = mailboxOf(email);
  const tagged = likePattern(mailbox).replace('@', '+%@');
  return sql<boolean>`(lower(email) = ${mailbox} or lower(email) like ${tagged} escape '\\')`;
}

/** Text in lower case, as a pattern for `like … escape '\'` that matches only itself. */
export function likePattern(text: string): string {
  return text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&');
}

/** Leads of a person by e-mail address, case-insensitive. */
export function leadsOf(db: Kysely<Tables>, email: string) {
  return db
    .selectFrom('leads')
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .orderBy('id');
}

/** Limited, because a statement accepts a limited number of parameters, and blocks other writers of SQLite. */
const pageSize = 200;

/** The page of a person's leads after the id `after`, the oldest first. Empty at the end. */
export function pageOf(db: Kysely<Tables>, email: string, after = ''): Promise<LeadRow[]> {
  return leadsOf(db, email).selectAll().where('id', '>', after).limit(pageSize).execute();
}
