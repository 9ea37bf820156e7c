import { listDeadLetters, replay, type DeadLetter } from '../delivery/dead-letters.ts';
import { recordAudit } from './audit.ts';
import type { Desk } from './desk.ts';
import { readAudited } from './read-audited.ts';

/** A page of the deliveries that were given up, the oldest first. */
export function readDeadLetters(
  desk: Desk,
  page: { readonly limit?: number; readonly after?: string },
): Promise<DeadLetter[]> {
  return readAudited(
    desk,
    (snapshot) => listDeadLetters(snapshot, page),
    (letters) => [{ action: 'delivery.list-dead', details: { count: letters.length } }],
  );
}

/** Has deliveries that were given up sent again, some or all. Returns how many. */
export function replayDeliveries({ database, actor }: Desk, ids: readonly string[] | 'all'): Promise<number> {
  return database.db.transaction().execute(async (transaction) => {
    const replayed = await replay(transaction, ids);
    await recordAudit(transaction, actor, [
      { action: 'delivery.replay', details: { all: ids === 'all', count: replayed } },
    ]);
    return replayed;
  });
}
