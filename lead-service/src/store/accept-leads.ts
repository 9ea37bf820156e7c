import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { LeadRows } from './group-insert.ts';
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
  // What was in the way of these has been erased or has expired since: now they get their keys.
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
  return group.map(({ lead, idempotency }) => {
    if (claimed.has(lead.id)) return stored;
    const record = records.get(idempotency.key);
    return record && repetition(record, idempotency);
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
): Promise<ReadonlyMap<string, IdempotencyRecordRow>> {
  const keys = new Set(group.map(({ idempotency }) => idempotency.key));
  const rows = await db
    .selectFrom('idempotencyRecords')
    .selectAll()
    .where('key', 'in', [...keys])
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

function repetition(
  record: IdempotencyRecordRow,
  { fingerprint, createdAt, expiresAt }: AcceptedLead['idempotency'],
): Acceptance {
  // Leads that have waited in a spool come late: the key may have passed on since, and means another lead by now.
  const meansThis = record.createdAt < expiresAt && createdAt < record.expiresAt;
  if (!meansThis || record.fingerprint !== fingerprint) return { kind: 'key-reused' };
  return { kind: 'repeated', leadId: record.leadId, answerStatus: record.answerStatus };
}
