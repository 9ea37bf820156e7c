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
 * Stores a group of leads. The leads, their idempotency records and their deliveries are inserted by one query, which is a
 * transaction of its own or part of the caller's. Among equal leads, the primary key of the idempotency records decides
 * which one is stored. A claim is a single insert, not a select followed by an insert, so that it has no race. It
 * replaces an expired record.
 */
export async function acceptLeads(target: Target, group: readonly AcceptedLead[]): Promise<Acceptance[]> {
  const outcomes = await attempt(target, group);
  // The records that blocked these leads are gone: expired, removed by another instance, or deleted as stale by the first attempt.
  const freed = group.filter((_accepted, index) => outcomes[index] === undefined);
  const second = await attempt(target, freed);
  // In the order of `freed`.
  return outcomes.map((outcome) => {
    const final = outcome ?? second.shift();
    if (final === undefined)
      throw new TypeError('An idempotency key is taken, but its record cannot be read.');
    return final;
  });
}

/** An undefined outcome: the claim lost against a record that was gone when it was read. */
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
  // A record created later than this was written by a wrong clock.
  const latestPlausible = new Date(Date.now() + clockTolerance).toISOString();
  const blocked = group.filter(({ idempotency }) => {
    const record = records.get(idempotency.key);
    return record !== undefined && isStaleRecord(record, idempotency, latestPlausible);
  });
  await deleteStaleRecords(db, blocked, latestPlausible);
  for (const { idempotency } of blocked) records.delete(idempotency.key);
  return group.map(({ lead, idempotency }) => {
    if (claimed.has(lead.id)) return stored;
    const record = records.get(idempotency.key);
    return record && replayOf(record, idempotency, latestPlausible);
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
 * Whether a wrong clock wrote the record: its time is in the future, and not before this claim expires. It would block the lead until
 * that time, so it is deleted. Except where the sender chose the key and the content is equal: that is a repetition,
 * whatever the clock said ({@link replayOf}).
 */
function isStaleRecord(
  record: IdempotencyRecordRow,
  { key, fingerprint, expiresAt }: AcceptedLead['idempotency'],
  latestPlausible: string,
): boolean {
  const isAfterClaim = record.createdAt > latestPlausible && record.createdAt >= expiresAt;
  return isAfterClaim && (isContentKey(key) || record.fingerprint !== fingerprint);
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
    .where('createdAt', '>', latestPlausible)
    .execute();
}

function replayOf(
  record: IdempotencyRecordRow,
  { fingerprint, createdAt, expiresAt }: AcceptedLead['idempotency'],
  latestPlausible: string,
): Acceptance {
  // Leads from a spool arrive late. Their key may have expired since and belong to another lead.
  const overlaps = record.createdAt < expiresAt && createdAt < record.expiresAt;
  const isFromWrongClock = record.createdAt > latestPlausible;
  if (!(overlaps || isFromWrongClock) || record.fingerprint !== fingerprint) return { kind: 'key-reused' };
  return { kind: 'repeated', leadId: record.leadId, answerStatus: record.answerStatus };
}
