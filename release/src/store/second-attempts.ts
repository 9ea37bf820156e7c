import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const secondAttempt = z.object({
  /** The part that promises the journey, or whose version was inspected. */
  part: z.string(),
  /** Missing for an inspection of the page. */
  journey: z.string().optional(),
  /** The failure of the first attempt. */
  why: z.string(),
});
/** A journey, or an inspection of the page, that failed at first and passed at its second attempt. */
export type SecondAttempt = Readonly<z.infer<typeof secondAttempt>>;

/** The second attempts of a journey, or of inspections, in the newest 100 checks that are at most 30 days old, with the newest `why`. */
export interface CountedSecondAttempts extends SecondAttempt {
  readonly count: number;
  /** Times of the first and the last one. ISO 8601, UTC. */
  readonly since: string;
  readonly at: string;
}

const stored = z.object({ at: z.string(), attempts: z.array(secondAttempt) });

const prefix = 'checks/second-attempts/';
/** Number of checks whose attempts are counted, the newest ones. */
const maxChecks = 100;
/** Age at which attempts no longer count: 30 days, in milliseconds. */
const maxAge = 30 * 24 * 60 * 60_000;

/**
 * How often journeys and inspections have passed only at their second attempt: one object for each check with one, so that checks do
 * not race.
 */
export class SecondAttempts {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Stores the attempts of a check, and removes those that no longer count. Never fails, because no release depends on it. */
  async add(attempts: readonly SecondAttempt[]): Promise<void> {
    if (attempts.length === 0) return;
    const now = new Date();
    const short = attempts.slice(0, 100).map((each) => ({ ...each, why: each.why.slice(0, 500) }));
    const bytes = encodeJson({ at: now.toISOString(), attempts: short });
    try {
      await this.#objects.create(`${prefix}${now.getTime()}-${randomUUID()}.json`, bytes);
      const { expired } = await this.#keys();
      await this.#objects.remove(expired);
    } catch {
      // The output of the check still names them.
    }
  }

  /** The second attempts that count, newest first. */
  async read(): Promise<readonly CountedSecondAttempts[]> {
    const { current } = await this.#keys();
    const checks = await Promise.all(
      current.map((key) => unlessDamaged(readJson(this.#objects, key, stored))),
    );
    const counted = new Map<string, CountedSecondAttempts>();
    for (const { at, attempts } of checks.flatMap((check) => check ?? [])) {
      for (const attempt of attempts) {
        const name = JSON.stringify([attempt.part, attempt.journey]);
        const { count = 0, since = at } = counted.get(name) ?? {};
        counted.set(name, { ...attempt, count: count + 1, since, at });
      }
    }
    return [...counted.values()].toSorted((one, other) => other.at.localeCompare(one.at));
  }

  /** Keys of checks, which begin with a time and are sorted by it. */
  async #keys() {
    const keys = await this.#objects.list(prefix);
    const isRecent = (key: string) => Date.now() - Number.parseInt(key.slice(prefix.length), 10) < maxAge;
    const current = keys.filter(isRecent).slice(-maxChecks);
    return { current, expired: keys.filter((key) => !current.includes(key)) };
  }
}
