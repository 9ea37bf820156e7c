import type { Kysely } from 'kysely';
import { clockTolerance } from '../clock-tolerance.ts';
import type { Database } from './database.ts';
import type { LeadRows } from './group-insert.ts';
import { standsForText } from './idempotency-record.ts';
import type { IdempotencyRecordRow, LeadRow, OutboxRow, Tables } from './tables.ts';

/** Everything that becomes durable together when a lead is accepted. */
export interface AcceptedLead {
  readonly lead: LeadRow;
  readonly idempotency: Omit<IdempotencyRecordRow, 'leadId'>;
  readonly outbox: readonly OutboxRow[];
}

/**
 * `stored`: new, and committed. `repeated`: the same was stored before, as this lead and answered with this status.
 * `key-reused`: something else was stored under this key; nothing was written.
 */
export type Acceptance =
  | { readonly kind: 'stored' }
  | { readonly kind: 'repeated'; readonly leadId: string; readonly answerStatus: number }
  | { readonly kind: 'key-reused' };

const stored: Acceptance = { kind: 'stored' };

/** A database, or a transaction on it. */
type Target = Pick<Database, 'db' | 'access'>;

/**
 * Commits a group of leads in one transaction, or stores them within one of the caller's. Which of several equal ones is
 * stored is decided by the primary key of the idempotency records: claiming it is an insert, not a look followed by an
 * insert.
 */
export async function acceptLeads(target: Target, group: readonly AcceptedLead[]): Promise<Acceptance[]> {
  const outcomes = await attempt(target, group);
  // What was in the way of these has been erased, has expired or was removed since: now they get their keys.
  const freed = group.filter((_accepted, index) => outcomes[index] === undefined);
  const second = await attempt(target, freed);
  return outcomes.map((outcome) => {
    const final = outcome ?? second.shift();
    if (final === undefined) throw new TypeError('A key is held by a record that cannot be read.');
    return final;
  });
}

/** Undefined: somebody else held the key, and when we looked who it is, nobody did any more. */
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
  const ahead = new Date(Date.now() + clockTolerance).toISOString();
  const obstacles = group.filter(({ idempotency }) => {
    const record = records.get(idempotency.key);
    return record !== undefined && isObstacle(record, idempotency, ahead);
  });
  await removeObstacles(db, obstacles, ahead);
  for (const { idempotency } of obstacles) records.delete(idempotency.key);
  return group.map(({ lead, idempotency }) => {
    if (claimed.has(lead.id)) return stored;
    const record = records.get(idempotency.key);
    return record && repetition(record, idempotency, ahead);
  });
}

function rowsOf(group: readonly AcceptedLead[]): LeadRows {
  return {
    idempotencyRecords: group.map(({ lead, idempotency }) => ({ ...idempotency, leadId: lead.id })),
    leads: group.map(({ lead }) => lead),
    outbox: group.flatMap(({ outbox }) => outbox),
  };
}

/** In the order of the keys: two instances that claim the same ones never wait for each other. */
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
 * Whether a record stands for another lead only because a clock was ahead when it was written. It would be in the way for as
 * long as the clock was ahead. A key that a sender chose still means what it meant.
 */
function isObstacle(
  record: IdempotencyRecordRow,
  { key, fingerprint, expiresAt }: AcceptedLead['idempotency'],
  ahead: string,
): boolean {
  const isFromWrongClock = record.createdAt > ahead && record.createdAt >= expiresAt;
  return isFromWrongClock && (standsForText(key) || record.fingerprint !== fingerprint);
}

async function removeObstacles(
  db: Kysely<Tables>,
  group: readonly AcceptedLead[],
  ahead: string,
): Promise<void> {
  if (group.length === 0) return;
  const keys = group.map(({ idempotency }) => idempotency.key).sort();
  await db.deleteFrom('idempotencyRecords').where('key', 'in', keys).where('createdAt', '>', ahead).execute();
}

function repetition(
  record: IdempotencyRecordRow,
  { fingerprint, createdAt, expiresAt }: AcceptedLead['idempotency'],
  ahead: string,
): Acceptance {
  // Leads that have waited in a spool come late: the key may have passed on since, and means another lead by now.
  const overlaps = record.createdAt < expiresAt && createdAt < record.expiresAt;
  const meansThis = overlaps || record.createdAt > ahead;
  if (!meansThis || record.fingerprint !== fingerprint) return { kind: 'key-reused' };
  return { kind: 'repeated', leadId: record.leadId, answerStatus: record.answerStatus };
}
