import { setImmediate } from 'node:timers/promises';
import { currentRequest } from './log.ts';

interface Waiting<Item, Outcome> extends PromiseWithResolvers<Outcome> {
  readonly item: Item;
}

/**
 * Group commit: commits items that arrive at the same time together. While one group commits, the next one collects. A
 * hundred senders therefore wait for a few commits instead of a hundred.
 *
 * @param commit resolves with the outcomes, in the order of the items, when all of them are durable
 * @param isOutage whether an error of a group rejects all its items, because it would recur for each
 */
export function groupCommit<Item, Outcome>(
  commit: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  batchSize: number,
  isOutage: (error: unknown) => boolean = () => false,
) {
  const waiting: Waiting<Item, Outcome>[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // Lets all other callbacks of this event loop iteration add their items to the group.
      await setImmediate();
      await settle(waiting.splice(0, batchSize));
    }
    running = undefined;
  }

  async function settle(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await commit(group.map(({ item }) => item));
      for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome);
    } catch (error) {
      if (group.length === 1 || isOutage(error)) for (const { reject } of group) reject(error);
      // Retries the items one by one, so that an invalid item does not block the others.
      else for (const one of group) await settle([one]);
    }
  }

  return {
    /** Resolves once the item's own group is committed. */
    add(item: Item): Promise<Outcome> {
      const outcome = Promise.withResolvers<Outcome>();
      waiting.push({ item, ...outcome });
      // The log lines of a commit belong to no single request.
      running ??= currentRequest.exit(run);
      return outcome.promise;
    },
    /** Resolves when no item is waiting. */
    async drained(): Promise<void> {
      while (running) await running;
    },
  };
}
