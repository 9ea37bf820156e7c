import type { Desk } from '../sales/desk.ts';
import { inGroups } from '../in-groups.ts';
import { listMailFiles, removeMailFiles } from './mail-files.ts';

const mostAtOnce = 100;
/** What was being sent when its lead was erased has been answered by then, in milliseconds. */
const lateAnswers = 2 * 24 * 60 * 60_000;

/**
 * Removes what came after a lead was erased or lies on another machine than the one that erased it: answers to
 * deliveries that were under way, and files of mails.
 */
export async function removeRemains(desk: Desk, signal: AbortSignal | undefined): Promise<void> {
  await removeLateAnswers(desk, signal);
  await removeFilesOfErased(desk, signal);
}

async function removeLateAnswers({ database: { db } }: Desk, signal: AbortSignal | undefined): Promise<void> {
  let last = { erasedAt: new Date(Date.now() - lateAnswers).toISOString(), id: '' };
  await inGroups(signal, async () => {
    const leads = await db
      .selectFrom('leads')
      .select(['id', 'erasedAt'])
      .where('erasedAt', 'is not', null)
      .$narrowType<{ erasedAt: string }>()
      .where(({ eb, refTuple, tuple }) => eb(refTuple('erasedAt', 'id'), '>', tuple(last.erasedAt, last.id)))
      .orderBy('erasedAt')
      .orderBy('id')
      .limit(mostAtOnce)
      .execute();
    const end = leads.at(-1);
    if (end === undefined) return false;
    last = end;
    const ids = leads.map(({ id }) => id);
    await db
      .updateTable('deliveryAttempts')
      .set({ answer: '' })
      .where('outboxId', 'in', db.selectFrom('outbox').select('id').where('leadId', 'in', ids))
      .where('answer', '!=', '')
      .execute();
    return leads.length === mostAtOnce;
  });
}

async function removeFilesOfErased(
  { database: { db }, dataDirectory }: Desk,
  signal: AbortSignal | undefined,
): Promise<void> {
  const files = await listMailFiles(dataDirectory);
  let first = 0;
  await inGroups(signal, async () => {
    const some = files.slice(first, first + mostAtOnce);
    if (some.length === 0) return false;
    first += mostAtOnce;
    const rows = await db
      .selectFrom('outbox')
      .innerJoin('leads', 'leads.id', 'outbox.leadId')
      .select('outbox.id')
      .where('outbox.id', 'in', some)
      .where('leads.erasedAt', 'is not', null)
      .execute();
    await removeMailFiles(
      dataDirectory,
      rows.map(({ id }) => id),
    );
    return true;
  });
}
