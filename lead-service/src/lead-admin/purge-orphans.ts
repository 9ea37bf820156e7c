import { inBatches } from '../platform/in-batches.ts';
import type { AdminContext } from './admin-context.ts';
import { eraseAnswers } from './erase-leads.ts';
import { listMailFiles, removeMailFiles } from './mail-files.ts';

const batchSize = 100;
/** Milliseconds after an erasure in which a delivery in flight may still record an answer. */
const lateAnswerPeriod = 2 * 24 * 60 * 60_000;

/**
 * Removes data of erased leads that the erasure missed: answers to deliveries in flight, and mail files on other
 * machines.
 */
export async function purgeOrphans(context: AdminContext, signal: AbortSignal | undefined): Promise<void> {
  await removeLateAnswers(context, signal);
  await removeFilesOfErased(context, signal);
}

async function removeLateAnswers(
  { database: { db } }: AdminContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  let last = { erasedAt: new Date(Date.now() - lateAnswerPeriod).toISOString(), id: '' };
  await inBatches(signal, async () => {
    const leads = await db
      .selectFrom('leads')
      .select(['id', 'erasedAt'])
      .where('erasedAt', 'is not', null)
      .$narrowType<{ erasedAt: string }>()
      .where(({ eb, refTuple, tuple }) => eb(refTuple('erasedAt', 'id'), '>', tuple(last.erasedAt, last.id)))
      .orderBy('erasedAt')
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const end = leads.at(-1);
    if (end === undefined) return false;
    last = end;
    await eraseAnswers(
      db,
      leads.map(({ id }) => id),
    );
    return leads.length === batchSize;
  });
}

async function removeFilesOfErased(
  { database: { db }, dataDirectory }: AdminContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  const files = await listMailFiles(dataDirectory);
  let first = 0;
  await inBatches(signal, async () => {
    const batch = files.slice(first, first + batchSize);
    if (batch.length === 0) return false;
    first += batchSize;
    const rows = await db
      .selectFrom('outbox')
      .innerJoin('leads', 'leads.id', 'outbox.leadId')
      .select('outbox.id')
      .where('outbox.id', 'in', batch)
      .where('leads.erasedAt', 'is not', null)
      .execute();
    await removeMailFiles(
      dataDirectory,
      rows.map(({ id }) => id),
    );
    return true;
  });
}
