import type { Kysely } from 'kysely';
import { clockTolerance } from '../platform/clock-tolerance.ts';
import type { Database } from './database.ts';
import type { LeadRows } from './group-insert.ts';
import { isContentKey, type IdempotencyClaim } from './idempotency-record.ts';
import type { IdempotencyRecordRow, LeadRow, OutboxRow, Tables } from './tables.ts';

/** All rows that one transaction commits when a lead is accepted. */
export interface AcceptedLead {
  readonly lead: LeadRow;
  readonly idempotency: IdempotencyClaim;
  readonly outbox: readonly OutboxRow[];
}

/**
 * `stored`: new, and committed. `repeated`: an equal lead was stored before, with this id and response status.
 * `key-reused`: the key belongs to a different lead, so nothing was written.
 */
export type Acceptance =
  | { readonly kind: 'stored' }
  | { readonly kind: 'repeated'; readonly leadId: string; readonly answerStatus: number }
  | { readonly kind: 'key-reused' };

const stored: Acceptance = { kind: 'stored' };

type Target = Pick<Database, 'db' | 'access'>;

/**
 * Stores a group of leads, and returns their outcomes in the same order. One query inserts the leads, their idempotency
 * records and their deliveries. It is a transaction of its own or part of the caller's. Among equal leads, the primary key
 * of the idempotency records decides which one is stored. A claim is a single insert, not a select followed by an insert,
 * so that it has no race. It replaces an expired record.
 */
export async function acceptLeads(target: Target, group: readonly AcceptedLead[]): Promise<Acceptance[]> {
  const outcomes = await attempt(target, group);
  const retried = group.filter((_accepted, index) => outcomes[index] === undefined);
  const retriedOutcomes = await attempt(target, retried);
  return outcomes.map((outcome) => {
    const final = outcome ?? retriedOutcomes.shift();
    if (final === undefined)
      throw new TypeError('An idempotency key is taken, but its record cannot be read.');
    return final;
  });
}

/**
 * Claims the keys, and stores the leads whose claims succeed. The outcome of any other lead depends on the record that has
 * its key, which may be that of an equal lead in this group. The outcome is undefined if that record is gone, and the key
 * free: another instance has removed it, or this attempt has deleted it as stale.
 */
async function attempt(
  { db, access }: Target,
  group: readonly AcceptedLead[],
): Promise<(Acceptance | undefined)[]> {
  if (group.length === 0) return [];
  const { rows } = await db.executeQuery(access.insertGroup(rowsOf(firstOfEachKey(group))));
  const claimed = new Set(rows.map(({ leadId }) => leadId));
  if (claimed.size === group.length) return group.map(() => stored);

  const records = await recordsOf(
    db,
    group.filter(({ lead }) => !claimed.has(lead.id)),
  );
  // A later record was written by a wrong clock.
  const latestPlausible = new Date(Date.now() + clockTolerance).toISOString();
  const blockedByStale = group.filter(({ idempotency }) => {
    const record = records.get(idempotency.key);
    return record !== undefined && isStaleRecord(record, idempotency, latestPlausible);
  });
  await deleteStaleRecords(db, blockedByStale, latestPlausible);
  for (const { idempotency } of blockedByStale) records.delete(idempotency.key);
  return group.map(({ lead, idempotency }) => {
    if (claimed.has(lead.id)) return stored;
    const record = records.get(idempotency.key);
    return record && outcomeFor(record, idempotency, latestPlausible);
  });
}

function rowsOf(group: readonly AcceptedLead[]): LeadRows {
  return {
    idempotencyRecords: group.map(({ lead, idempotency }) => ({ ...idempotency, leadId: lead.id })),
    leads: group.map(({ lead }) => lead),
    outbox: group.flatMap(({ outbox }) => outbox),
  };
}

/** Sorted by key, so that two instances that claim the same keys cannot deadlock. */
function firstOfEachKey(group: readonly AcceptedLead[]): AcceptedLead[] {
  const firsts = new Map<string, AcceptedLead>();
  for (const accepted of group) {
    const { key } = accepted.idempotency;
    if (!firsts.has(key)) firsts.set(key, accepted);
  }
  return [...firsts.values()].sort((a, b) => (a.idempotency.key < b.idempotency.key ? -1 : 1));
}

async function recordsOf(
  db: Kysely<Tables>,
  group: readonly AcceptedLead[],
): Promise<Map<string, IdempotencyRecordRow>> {
  const keys = new Set(group.map(({ idempotency }) => idempotency.key));
  const rows = await db
    .selectFrom('idempotencyRecords')
    .selectAll()
    .where('key', 'in', [...keys])
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * Whether a record must be deleted, because a wrong clock has written it and it would block leads for an unknown time: it was
 * created in the future, and after the expiry of this claim. A record with equal content under a key of the sender stays,
 * because the lead is a repetition whatever the clock said ({@link outcomeFor}).
 */
function isStaleRecord(
  record: IdempotencyRecordRow,
  { key, fingerprint, expiresAt }: AcceptedLead['idempotency'],
  latestPlausible: string,
): boolean {
  const isFromFuture = record.createdAt > latestPlausible && record.createdAt >= expiresAt;
  return isFromFuture && (isContentKey(key) || record.fingerprint !== fingerprint);
}

async function deleteStaleRecords(
  db: Kysely<Tables>,
  group: readonly AcceptedLead[],
  latestPlausible: string,
): Promise<void> {
  if (group.length === 0) return;
  // Sorted against deadlocks, as in `firstOfEachKey`.
  const keys = group.map(({ idempotency }) => idempotency.key).sort();
  await db
    .deleteFrom('idempotencyRecords')
    .where('key', 'in', keys)
    // Another instance may have replaced a stale record since it was read.
    .where('createdAt', '>', latestPlausible)
    .execute();
}

/** The outcome of a lead whose key has this record. */
function outcomeFor(
  record: IdempotencyRecordRow,
  { fingerprint, createdAt, expiresAt }: AcceptedLead['idempotency'],
  latestPlausible: string,
): Acceptance {
  // Leads from a spool arrive late. Their key may have expired since, and belong to another lead, even to an equal one.
  const overlaps = record.createdAt < expiresAt && createdAt < record.expiresAt;
  const isFromWrongClock = record.createdAt > latestPlausible;
  if (!(overlaps || isFromWrongClock) || record.fingerprint !== fingerprint) return { kind: 'key-reused' };
  return { kind: 'repeated', leadId: record.leadId, answerStatus: record.answerStatus };
}
