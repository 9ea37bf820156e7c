import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { CounterAddition } from '../database/database-access.ts';
import type { DatabaseTarget } from '../database/database.ts';
import { groupCommit } from '../platform/group-commit.ts';
import { describeError, type Log } from '../platform/log.ts';
import { createLoop } from '../platform/loop.ts';
import { type Count, type Counter, createCounter, createExpiringMap } from './counter.ts';

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

export type Counters = ReturnType<typeof createCounters>;

/**
 * Counts in the database, for all instances together, in batches of counts that arrive at the same time. While the database is down, or
 * if no other instance can use it, each process counts alone, in its memory. The database gets keyed hashes, because keys are IP addresses
 * and messages. Disposal writes the rest of the counts.
 */
export function createCounters({ db, access }: DatabaseTarget, hashKey: Buffer, log: Log) {
  /** Functions that send what is collected, one for each counter. */
  const senders: (() => void)[] = [];
  let nextCleanup = 0;
  /** Whether this process counts alone. */
  let isAlone = access.addToCounters === undefined;
  const batches = groupCommit<CounterAddition, Count | undefined>(count, batchSize);
  const loop = createLoop(async () => {
    for (const send of senders) send();
    await clean();
    return interval;
  }, interval);
  if (!isAlone) loop.start();

  /** Undefined for each if the database is down. */
  async function count(batch: readonly CounterAddition[]): Promise<readonly (Count | undefined)[]> {
    try {
      const timeout = setTimeout(addTimeout, undefined, { ref: false });
      const rows = await Promise.race([access.addToCounters?.(db, batch), timeout]);
      if (rows === undefined) throw new Error(`no answer within ${addTimeout} ms`);
      return countsOf(batch, new Map(rows.map((row) => [row.key, row])));
    } catch (error) {
      isAlone = true;
      log.warn('quotas count for each instance alone, because the database does not count them', {
        reason: access.unavailability(error) ?? describeError(error),
      });
      return batch.map(() => undefined);
    }
  }

  /**
   * Removes ended windows, and those that end too late, because the clock was ahead when they began. While the database is down, this
   * also shows when it is available again.
   */
  async function clean(): Promise<void> {
    const now = Date.now();
    const at = (later: number) => new Date(now + later).toISOString();
    try {
      if (!isAlone && now < nextCleanup) return;
      nextCleanup = now + cleanupInterval;
      await db
        .deleteFrom('counters')
        .where(({ or, eb }) => or([eb('endsAt', '<=', at(0)), eb('endsAt', '>', at(maxWindow))]))
        .execute();
      if (isAlone) log.info('quotas count for all instances together again');
      isAlone = false;
    } catch {
      // The next attempt follows. The outage is logged already.
    }
  }

  return {
    /** @param name tells the keys of this counter from those of others */
    open(name: string, windowInSeconds: number): Counter {
      const hash = (key: string) =>
        createHmac('sha256', hashKey).update(`${name}\n${key}`).digest('base64url');
      const addInDatabase = (key: string, points: number, onceFor?: string) => {
        const endsAt = new Date(Date.now() + windowInSeconds * 1_000).toISOString();
        const once = onceFor === undefined ? null : hash(onceFor);
        return batches.add({ key: hash(key), once, points, endsAt });
      };
      const { send, ...counter } = openCounter(windowInSeconds, () => isAlone, addInDatabase);
      senders.push(send);
      return counter;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await loop.stop();
      for (const send of senders) send();
      await batches.drained();
    },
  };
}

/**
 * A counter that the database adds up for all instances, with what is known of it here.
 *
 * @param addInDatabase resolves with undefined if the database is down
 */
function openCounter(
  windowInSeconds: number,
  isAlone: () => boolean,
  addInDatabase: (key: string, points: number, onceFor?: string) => Promise<Count | undefined>,
) {
  /** The last counts of keys that the database has returned, with what this process has added since. All counts while it counts alone. */
  const known = createCounter(windowInSeconds);
  /** Collected points, by key, that the database has not got yet. */
  const unsent = new Map<string, number>();
  /** The only value of a key that has come to this process, or null after a second one. */
  const onlyValues = createExpiringMap<{ readonly value: string | null }>(windowInSeconds);

  /** Undefined if this process counts alone. */
  const addShared = async (key: string, points: number, onceFor?: string) => {
    const result = isAlone() ? undefined : await addInDatabase(key, points, onceFor);
    if (result !== undefined) known.set(key, { ...result, points: result.points + (unsent.get(key) ?? 0) });
    return result;
  };
  /** Adds some points, and those that are collected. */
  const add = async (key: string, points: number): Promise<Count> => {
    const collected = unsent.get(key) ?? 0;
    unsent.delete(key);
    return (await addShared(key, points + collected)) ?? known.add(key, points);
  };
  const addValue = async (key: string, value: string): Promise<Count> => {
    const valueKey = `${key}\n${value}`;
    const isNew = known.add(valueKey).points === 1;
    return (await addShared(key, 1, valueKey)) ?? known.add(key, isNew ? 1 : 0);
  };

  return {
    add(key: string, exactFrom = 0): Promise<Count> {
      const before = known.read(key);
      if (before === 0 || before >= exactFrom || isAlone()) return add(key, 1);
      // Others can hardly have used up the rest since the last count. The database hears of this one later.
      unsent.set(key, (unsent.get(key) ?? 0) + 1);
      return Promise.resolve(known.add(key));
    },
    addDistinct(key: string, value: string): Promise<Count> {
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
    /** Sends what is collected. */
    send() {
      for (const key of unsent.keys()) void add(key, 0);
    },
  };
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
