import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { MoveRow, Tables } from '../../database/tables.ts';
import { lockErasures } from '../../lead-store/move-leads.ts';
import { addressHash } from '../../platform/address-hash.ts';
import { recordAudit } from '../audit.ts';
import { eraseWithin } from '../erase-leads.ts';
import { findMerged, insertRows, keyOf, noLimit, readRows, rowsOf, type Row } from './rows.ts';
import { tablesOf, type TableName } from './table-moves.ts';

/** Rows per transaction; leads, for which it is the number of leads. */
const batchSize = 500;

const done = 'done';
const steps: readonly TableName[] = ['leads', ...tablesOf('after')];

/** A move between two databases. Nothing else has the source open. */
export interface Move {
  readonly source: Kysely<Tables>;
  readonly target: Database;
  /** The mark in SQLite. */
  readonly mark: MoveRow;
  readonly actor: string;
}

/** The rows that one transaction has copied. */
export interface CopiedBatch {
  readonly table: TableName;
  /** Key of the last row. Undefined if no rows of the table are left. */
  readonly lastKey: readonly unknown[] | undefined;
}

/**
 * Copies the next rows, in one transaction with the progress of the move. Returns undefined once all are copied. It is safe to
 * repeat after a failure or a kill at any point, because only the committed progress decides what comes next.
 */
export function copyBatch(move: Move): Promise<CopiedBatch | undefined> {
  const { source, target, mark } = move;
  return target.db.transaction().execute(async (transaction) => {
    const progress = await transaction
      .selectFrom('moves')
      .selectAll()
      .where('id', '=', mark.id)
      .forUpdate()
      .executeTakeFirst();
    if (progress === undefined) return copyStart(move, transaction);
    const index = steps.findIndex((step) => step === progress.step);
    const table = steps[index];
    if (table === undefined) return undefined;
    const after = progress.lastKey === null ? undefined : (JSON.parse(progress.lastKey) as unknown[]);
    const rows = await readRows(source, table, after, batchSize);
    if (table === 'leads') await copyLeads(move, transaction, rows, new Set(mergedOf(progress)));
    else await insertRows(transaction, table, rows);
    const last = rows.length < batchSize ? undefined : rows.at(-1);
    const lastKey = last && keyOf(table, last);
    await transaction
      .updateTable('moves')
      .set(
        lastKey === undefined
          ? { step: steps[index + 1] ?? done, lastKey: null }
          : { lastKey: JSON.stringify(lastKey) },
      )
      .where('id', '=', mark.id)
      .execute();
    return { table, lastKey };
  });
}

export function mergedOf({ merged }: Pick<MoveRow, 'merged'>): readonly string[] {
  return JSON.parse(merged) as string[];
}

/**
 * Copies what the service must know before it takes in more leads: repeated leads, suppressed addresses, confirmations of the
 * day. Notes the leads that it has stored again already.
 */
async function copyStart({ source, mark }: Move, transaction: Transaction<Tables>): Promise<CopiedBatch> {
  const now = new Date().toISOString();
  const merged: string[] = [];
  for (const table of tablesOf('start')) {
    const rows = await readRows(source, table, undefined, noLimit);
    const isRecord = table === 'idempotencyRecords';
    await insertRows(transaction, table, isRecord ? rows.filter((row) => isLater(row, now)) : rows);
    // After the insert, which waits for concurrent claims of these keys.
    if (isRecord) merged.push(...(await findMerged(transaction, rows)));
  }
  await transaction
    .insertInto('moves')
    .values({ ...mark, step: 'leads', merged: JSON.stringify(merged) })
    .execute();
  return { table: 'idempotencyRecords', lastKey: undefined };
}

const isLater = (record: Row, now: string) => String(record['expires_at']) > now;

/** Copies leads with all rows that belong to them. Erases those of people who were erased in PostgreSQL meanwhile. */
async function copyLeads(
  { source, target, actor }: Move,
  transaction: Transaction<Tables>,
  rows: readonly Row[],
  merged: ReadonlySet<unknown>,
): Promise<void> {
  const leads = rows.filter(({ id }) => !merged.has(id));
  const ids = leads.map(({ id }) => id);
  const outbox = await rowsOf(source, 'outbox', 'lead_id', ids);
  const attempts = await rowsOf(
    source,
    'deliveryAttempts',
    'outbox_id',
    outbox.map(({ id }) => id),
  );
  const entries = await rowsOf(source, 'auditEntries', 'lead_id', ids);

  const people = leads
    .filter((lead) => lead['erased_at'] === null)
    .map(({ id, email, received_at: at }) => ({
      id: String(id),
      email: String(email),
      receivedAt: String(at),
    }));
  const erasures = await lockErasures(
    transaction,
    people.map(({ email }) => email),
  );
  await insertRows(transaction, 'leads', leads);
  await insertRows(transaction, 'outbox', outbox);
  await insertRows(transaction, 'deliveryAttempts', attempts);
  await insertRows(transaction, 'auditEntries', entries);
  const erased = people
    .filter(({ email, receivedAt }) => receivedAt <= (erasures.get(addressHash(email)) ?? ''))
    .map(({ id }) => id);
  await eraseWithin(transaction, erased, new Date().toISOString(), target.access);
  await recordAudit(
    transaction,
    actor,
    erased.map((leadId) => ({ action: 'lead.erase', leadId })),
  );
}
