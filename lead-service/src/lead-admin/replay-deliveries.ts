import { listDeadLetters, replay, type DeadLetter } from './dead-letters.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { readAudited } from './read-audited.ts';

/** A page of the dead letters, the oldest first. */
export function readDeadLetters(
  context: AdminContext,
  page: { readonly limit?: number; readonly after?: string },
): Promise<DeadLetter[]> {
  return readAudited(
    context,
    (snapshot) => listDeadLetters(snapshot, page),
    (letters) => [{ action: 'delivery.list-dead', details: { count: letters.length } }],
  );
}

/** Replays some or all dead letters. Returns their number. */
export function replayDeliveries(
  { database, actor }: AdminContext,
  ids: readonly string[] | 'all',
): Promise<number> {
  return database.db.transaction().execute(async (transaction) => {
    const replayed = await replay(transaction, ids);
    await recordAudit(transaction, actor, [
      { action: 'delivery.replay', details: { all: ids === 'all', count: replayed } },
    ]);
    return replayed;
  });
}
