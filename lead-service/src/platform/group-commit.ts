import { setImmediate } from 'node:timers/promises';
import { outsideOfRequests } from './operations/current-request.ts';

interface Waiting<Item, Outcome> {
  readonly item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Gathers what arrives at the same time and commits it together. While one group is being committed the next one
 * gathers, so that a hundred senders wait for a few commits and not for a hundred.
 */
export class GroupCommit<Item, Outcome> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly #mostAtOnce: number;
  readonly #waiting: Waiting<Item, Outcome>[] = [];
  #running: Promise<void> | undefined;

  /** @param commit resolves with the outcome of each item, in the same order, when all of them are durable. */
  constructor(commit: (items: readonly Item[]) => Promise<readonly Outcome[]>, mostAtOnce: number) {
    this.#commit = commit;
    this.#mostAtOnce = mostAtOnce;
  }

  /** Resolves once the item's own group is committed. */
  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#running ??= outsideOfRequests(() => this.#run());
    });
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whatever else this turn of the event loop brings in belongs to the group.
      await setImmediate();
      await this.#settle(this.#waiting.splice(0, this.#mostAtOnce));
    }
    this.#running = undefined;
  }

  async #settle(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#commit(group.map(({ item }) => item));
      for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome);
    } catch (error) {
      const [only, ...others] = group;
      if (others.length === 0) only?.reject(error);
      // What one item has broken must not keep the others from being stored.
      else for (const one of group) await this.#settle([one]);
    }
  }
}
