import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { CounterAddition } from '../database/database-access.ts';
import type { DatabaseTarget } from '../database/database.ts';
import { groupCommit } from '../platform/group-commit.ts';
import { describeError, type Log } from '../platform/log.ts';
import { createLoop } from '../platform/loop.ts';
import { type Count, type Counter, createCounter, ExpiringMap } from './counter.ts';

/** Milliseconds after which a count falls back to the memory, because a visitor waits for it. */
const addTimeout = 1_000;
/**
 * Milliseconds for which counts that no visitor waits for are collected, because each statement takes processor time from leads, and
 * between two attempts to reach a database that is down.
 */
const interval = 1_000;
/** Milliseconds between two removals of ended windows. */
const cleanupInterval = 60_000;
/** In milliseconds. An hour longer than any window, because the clocks of the instances may differ. */
const maxWindow = 25 * 60 * 60_000;
const batchSize = 128;

/**
 * Counts in the database, for all instances together, in batches of counts that arrive at the same time. While the database is down, or
 * if no other instance can use it, each process counts alone, in its memory. The database gets keyed hashes, because keys are IP addresses
 * and messages. Disposal writes the rest of the counts.
 */
export class Counters implements AsyncDisposable {
  readonly #database: DatabaseTarget;
  readonly #hashKey: Buffer;
  readonly #log: Log;
  readonly #batches = groupCommit<CounterAddition, Count | undefined>(
    (batch) => this.#count(batch),
    batchSize,
  );
  readonly #loop = createLoop(async () => {
    for (const send of this.#senders) send();
    await this.#clean();
    return interval;
  }, interval);
  /** Functions that send what is collected, one for each counter. */
  readonly #senders: (() => void)[] = [];
  #nextCleanup = 0;
  /** Whether this process counts alone. */
  #isAlone: boolean;

  constructor(database: DatabaseTarget, hashKey: Buffer, log: Log) {
    this.#database = database;
    this.#hashKey = hashKey;
    this.#log = log;
    this.#isAlone = database.access.addToCounters === undefined;
    if (!this.#isAlone) this.#loop.start();
  }

  /** @param name tells the keys of this counter from those of others */
  open(name: string, windowInSeconds: number): Counter {
    /** The last counts of keys that the database has returned, with what this process has added since. All counts while it counts alone. */
    const known = createCounter(windowInSeconds);
    /** Collected points, by key, that the database has not got yet. */
    const unsent = new Map<string, number>();
    /** The only value of a key that has come to this process, or null after a second one. */
    const onlyValues = new ExpiringMap<{ readonly value: string | null }>(windowInSeconds);

    /** Undefined if this process counts alone. */
    const addInDatabase = async (key: string, points: number, onceFor?: string) => {
      if (this.#isAlone) return undefined;
      const endsAt = new Date(Date.now() + windowInSeconds * 1_000).toISOString();
      const once = onceFor === undefined ? null : this.#hash(name, onceFor);
      const result = await this.#batches.add({ key: this.#hash(name, key), once, points, endsAt });
      if (result === undefined) return undefined;
      known.set(key, { ...result, points: result.points + (unsent.get(key) ?? 0) });
      return result;
    };
    /** Adds some points, and those that are collected. */
    const add = async (key: string, points: number): Promise<Count> => {
      const collected = unsent.get(key) ?? 0;
      unsent.delete(key);
      return (await addInDatabase(key, points + collected)) ?? known.add(key, points);
    };
    this.#senders.push(() => {
      for (const key of unsent.keys()) void add(key, 0);
    });
    const addValue = async (key: string, value: string): Promise<Count> => {
      const valueKey = `${key}\n${value}`;
      const isNew = known.add(valueKey).points === 1;
      return (await addInDatabase(key, 1, valueKey)) ?? known.add(key, isNew ? 1 : 0);
    };

    return {
      add: (key, harmless = 0) => {
        const before = known.read(key);
        if (before === 0 || before >= harmless || this.#isAlone) return add(key, 1);
        // Others can hardly have used up the rest since the last count. The database hears of this one later.
        unsent.set(key, (unsent.get(key) ?? 0) + 1);
        return Promise.resolve(known.add(key));
      },
      addDistinct(key, value) {
        const only = onlyValues.get(key)?.value;
        // Most keys come with one value. The database hears of it with the second one.
        if (only === undefined || only === value) {
          if (only === undefined) onlyValues.begin(key, { value });
          return Promise.resolve({ points: 1, secondsLeft: windowInSeconds });
        }
        if (only !== null) void addValue(key, only);
        onlyValues.begin(key, { value: null });
        return addValue(key, value);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop.stop();
    for (const send of this.#senders) send();
    await this.#batches.drained();
  }

  #hash(name: string, key: string): string {
    return createHmac('sha256', this.#hashKey).update(`${name}\n${key}`).digest('base64url');
  }

  /** Undefined for each if the database is down. */
  async #count(batch: readonly CounterAddition[]): Promise<readonly (Count | undefined)[]> {
    const { db, access } = this.#database;
    try {
      const timeout = setTimeout(addTimeout, undefined, { ref: false });
      const rows = await Promise.race([access.addToCounters?.(db, batch), timeout]);
      if (rows === undefined) throw new Error(`no answer within ${addTimeout} ms`);
      return countsOf(batch, new Map(rows.map((row) => [row.key, row])));
    } catch (error) {
      this.#isAlone = true;
      this.#log.warn('quotas count for each instance alone, because the database does not count them', {
        reason: access.unavailability(error) ?? describeError(error),
      });
      return batch.map(() => undefined);
    }
  }

  /**
   * Removes ended windows, and those that end too late, because the clock was ahead when they began. While the database is down, this
   * also shows when it is available again.
   */
  async #clean(): Promise<void> {
    const now = Date.now();
    const at = (later: number) => new Date(now + later).toISOString();
    try {
      if (!this.#isAlone && now < this.#nextCleanup) return;
      this.#nextCleanup = now + cleanupInterval;
      const { db } = this.#database;
      await db
        .deleteFrom('counters')
        .where(({ or, eb }) => or([eb('endsAt', '<=', at(0)), eb('endsAt', '>', at(maxWindow))]))
        .execute();
      if (this.#isAlone) this.#log.info('quotas count for all instances together again');
      this.#isAlone = false;
    } catch {
      // The next attempt follows. The outage is logged already.
    }
  }
}

/** Of several additions to one key in a batch, each gets the points that it would have had alone. */
function countsOf(
  batch: readonly CounterAddition[],
  totals: ReadonlyMap<string, { readonly points: number; readonly endsAt: string }>,
): readonly Count[] {
  const seen = new Map<string, number>();
  const counts = batch.toReversed().map(({ key, once, points }): Count => {
    const { points: total = 0, endsAt = '' } = totals.get(key) ?? {};
    const later = seen.get(key) ?? 0;
    // Which of the distinct values were new is unknown, so each gets the points of all.
    if (once === null) seen.set(key, later + points);
    const secondsLeft = Math.max(0, Math.ceil((Date.parse(endsAt) - Date.now()) / 1_000));
    return { points: total - later, secondsLeft };
  });
  return counts.toReversed();
}
