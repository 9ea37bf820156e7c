import type { Kysely, Transaction } from 'kysely';
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

/**
 * Commits a group of leads in one transaction. Which of several equal ones is stored is decided by the primary key of
 * the idempotency records: claiming it is an insert, not a look followed by an insert.
 */
export async function acceptLeads(db: Kysely<Tables>, group: readonly AcceptedLead[]): Promise<Acceptance[]> {
  const accept = () => db.transaction().execute((transaction) => acceptWithin(transaction, group));
  try {
    return await accept();
  } catch (error) {
    if (error instanceof RecordGone) return await accept();
    throw error;
  }
}

/** The same inside a transaction of the caller's. */
export async function acceptWithin(
  transaction: Transaction<Tables>,
  group: readonly AcceptedLead[],
): Promise<Acceptance[]> {
  if (group.length === 0) return [];
  const firsts = firstOfEachKey(group);
  const claimed = await claim(transaction, firsts);
  const winners = group.filter(({ lead }) => claimed.has(lead.id));
  if (winners.length > 0) {
    await transaction
      .insertInto('leads')
      .values(winners.map(({ lead }) => lead))
      .execute();
    const outbox = winners.flatMap((winner) => winner.outbox);
    if (outbox.length > 0) await transaction.insertInto('outbox').values(outbox).execute();
  }
  if (winners.length === group.length) return group.map(() => stored);

  const records = await recordsOf(transaction, group);
  return group.map(({ lead, idempotency }) =>
    claimed.has(lead.id) ? stored : repetition(records.get(idempotency.key), idempotency),
  );
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

/** Takes the keys that nobody holds, or holds no longer. Returns the ids of the leads they were taken for. */
async function claim(
  transaction: Transaction<Tables>,
  candidates: readonly AcceptedLead[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction
    .insertInto('idempotencyRecords')
    .values(candidates.map(({ lead, idempotency }) => ({ ...idempotency, leadId: lead.id })))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({
          fingerprint: row.ref('excluded.fingerprint'),
          leadId: row.ref('excluded.leadId'),
          answerStatus: row.ref('excluded.answerStatus'),
          createdAt: row.ref('excluded.createdAt'),
          expiresAt: row.ref('excluded.expiresAt'),
        }))
        .whereRef('idempotencyRecords.expiresAt', '<=', 'excluded.createdAt'),
    )
    .returning('leadId')
    .execute();
  return new Set(rows.map(({ leadId }) => leadId));
}

async function recordsOf(
  transaction: Transaction<Tables>,
  group: readonly AcceptedLead[],
): Promise<ReadonlyMap<string, IdempotencyRecordRow>> {
  const keys = new Set(group.map(({ idempotency }) => idempotency.key));
  const rows = await transaction
    .selectFrom('idempotencyRecords')
    .selectAll()
    .where('key', 'in', [...keys])
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

function repetition(
  record: IdempotencyRecordRow | undefined,
  { fingerprint, createdAt, expiresAt }: AcceptedLead['idempotency'],
): Acceptance {
  if (record === undefined) throw new RecordGone();
  // Leads that have waited in a spool come late: the key may have passed on since, and means another lead by now.
  const meansThis = record.createdAt < expiresAt && createdAt < record.expiresAt;
  if (!meansThis || record.fingerprint !== fingerprint) return { kind: 'key-reused' };
  return { kind: 'repeated', leadId: record.leadId, answerStatus: record.answerStatus };
}

/** A record was in the way and has been erased or has expired since. The next attempt gets the key. */
class RecordGone extends TypeError {}
