import { hash } from 'node:crypto';
import type { DatabaseTarget } from './database.ts';
import type { LeadRows } from './insert-statements.ts';
import type { IdempotencyRecordRow, LeadRow, OutboxRow } from './tables.ts';

/** All rows that one transaction commits with a lead. */
export interface LeadToStore {
  readonly lead: LeadRow;
  readonly idempotency: IdempotencyRecordRow;
  readonly outbox: readonly OutboxRow[];
}

/**
 * `stored`: new, and committed. `repeated`: an equal lead, with the same key and text, was stored before, with this id and status.
 * It `isLater` if it came when the key had expired: this lead has waited in a spool, or the clock was set back. `key-reused`: the key
 * belongs to a different lead, so nothing was written.
 */
export type InsertOutcome =
  | { readonly kind: 'stored' }
  | {
      readonly kind: 'repeated';
      readonly leadId: string;
      readonly answerStatus: number;
      readonly isLater: boolean;
    }
  | { readonly kind: 'key-reused' };

const stored: InsertOutcome = { kind: 'stored' };

/**
 * Stores a group of leads, and returns their outcomes in the same order. The leads, their idempotency records and their
 * deliveries are one transaction, or part of the caller's. Among equal leads, the primary key of the idempotency records
 * decides which one is stored. A claim is a single insert, not a select followed by an insert, so that it has no race. It
 * replaces an expired record.
 */
export async function insertLeads(
  target: DatabaseTarget,
  group: readonly LeadToStore[],
): Promise<InsertOutcome[]> {
  const outcomes = await claimAndStore(target, group);
  // Leads without an outcome. Their keys were taken, but are free now, because another instance has removed the records.
  const retried = group.filter((_lead, index) => outcomes[index] === undefined);
  const retriedOutcomes = await claimAndStore(target, retried);
  return outcomes.map((outcome) => {
    const final = outcome ?? retriedOutcomes.shift();
    if (final === undefined)
      throw new TypeError('An idempotency key is taken, but its record cannot be read.');
    return final;
  });
}

/**
 * Claims the keys, and stores the leads whose claims succeed. The outcome of any other lead depends on the record that has
 * its key, which may be that of an equal lead in this group. It is undefined if that record has been removed meanwhile.
 */
async function claimAndStore(
  { db, access }: DatabaseTarget,
  group: readonly LeadToStore[],
): Promise<(InsertOutcome | undefined)[]> {
  if (group.length === 0) return [];
  const claimed = new Set(await access.insertGroup(db, rowsOf(firstOfEachKey(group))));
  if (claimed.size === group.length) return group.map(() => stored);
  const others = group.filter(({ lead }) => !claimed.has(lead.id));
  const keys = others.map(({ idempotency }) => idempotency.key);
  const rows = await db.selectFrom('idempotencyRecords').selectAll().where('key', 'in', keys).execute();
  const records = new Map(rows.map((row) => [row.key, row]));
  return group.map(({ lead, idempotency }) => {
    if (claimed.has(lead.id)) return stored;
    const record = records.get(idempotency.key);
    return record && outcomeFor(record, idempotency);
  });
}

function rowsOf(group: readonly LeadToStore[]): LeadRows {
  return {
    idempotencyRecords: group.map(({ idempotency }) => idempotency),
    leads: group.map(({ lead }) => ({ ...lead, searchText: searchTextOf(lead) })),
    outbox: group.flatMap(({ outbox }) => outbox),
  };
}

/** Sorted by key, so that two instances that claim the same keys cannot deadlock. */
function firstOfEachKey(group: readonly LeadToStore[]): LeadToStore[] {
  const firsts = new Map<string, LeadToStore>();
  for (const each of group) {
    const { key } = each.idempotency;
    if (!firsts.has(key)) firsts.set(key, each);
  }
  return [...firsts.values()].sort((a, b) => (a.idempotency.key < b.idempotency.key ? -1 : 1));
}

/** The outcome of a lead whose key has this record. */
function outcomeFor(
  record: IdempotencyRecordRow,
  { fingerprint, expiresAt }: IdempotencyRecordRow,
): InsertOutcome {
  if (record.fingerprint !== fingerprint) return { kind: 'key-reused' };
  const { leadId, answerStatus, createdAt } = record;
  return { kind: 'repeated', leadId, answerStatus, isLater: createdAt >= expiresAt };
}

/** Leaves out leads that are in the database already, by their id. */
export async function withoutStored<Item extends { readonly lead: Pick<LeadRow, 'id'> }>(
  db: DatabaseTarget['db'],
  leads: readonly Item[],
): Promise<readonly Item[]> {
  if (leads.length === 0) return [];
  const ids = leads.map(({ lead }) => lead.id);
  const rows = await db.selectFrom('leads').select('id').where('id', 'in', ids).execute();
  const stored = new Set(rows.map(({ id }) => id));
  return leads.filter(({ lead }) => !stored.has(lead.id));
}

/** Text in the spelling in which it is searched, because databases fold the case of ASCII letters at most. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The user text of a lead to search in, without the address. */
function searchTextOf({ name, company, message }: LeadRow): string {
  return foldText([name, company ?? '', message].join('\n'));
}

/** In milliseconds. A key that the sender chose identifies a lead for this long. */
const keyLifetime = 24 * 60 * 60_000;
/** In milliseconds. Without a key, equal text from the same person is one lead for this long. */
const sameTextLifetime = 10 * 60_000;

/**
 * The record that makes repeated submissions one lead.
 *
 * @param fingerprint hash of the user text, equal for equal leads
 * @param key the sender's idempotency key, if any
 */
export function idempotencyRecord(
  { id: leadId, receivedAt }: LeadRow,
  fingerprint: string,
  key: string | undefined,
): IdempotencyRecordRow {
  const lifetime = key === undefined ? sameTextLifetime : keyLifetime;
  return {
    key: key === undefined ? `same:${fingerprint}` : `key:${hash('sha256', JSON.stringify([key]))}`,
    fingerprint,
    leadId,
    answerStatus: 201,
    createdAt: receivedAt,
    expiresAt: new Date(Date.parse(receivedAt) + lifetime).toISOString(),
  };
}

/** A unique record for a lead that must be stored even if its key is taken: an imported one, or one that leaves the spool late. */
export function idempotencyOfItself({ id, receivedAt }: LeadRow): IdempotencyRecordRow {
  return {
    key: `lead:${id}`,
    fingerprint: id,
    leadId: id,
    answerStatus: 202,
    createdAt: receivedAt,
    expiresAt: new Date(Date.parse(receivedAt) + keyLifetime).toISOString(),
  };
}
