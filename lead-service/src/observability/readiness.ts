import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** `degraded`: the service accepts leads, but needs attention. `unavailable`: it cannot accept leads. */
interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** Reasons for a status other than `ready`, as sentences. */
  readonly reasons: readonly string[];
}

interface ReadinessSources {
  backlog(): Promise<DeliveryBacklog>;
  /** Number of leads in the spool; undefined if there is no spool. Rejects if the spool is unreadable. */
  readonly spoolDepth: (() => Promise<number>) | undefined;
  /** Whether the last lead could not be stored. */
  refusesLeads(): boolean;
  /** Further reasons for `degraded`, as sentences, such as an unreadable live page. */
  whyDegraded(): readonly string[];
}

export type ReadinessCheck = ReturnType<typeof createReadinessCheck>;

/** Seconds for which a lead waits for a delivery until the service is degraded. */
const lateAfterSeconds = 600;

export function createReadinessCheck({ backlog, spoolDepth, refusesLeads, whyDegraded }: ReadinessSources) {
  let draining = false;
  return {
    async check(): Promise<Readiness> {
      if (draining) return { status: 'unavailable', reasons: ['The service is stopping.'] };
      const [{ isDatabaseUp, oldestSeconds }, depth] = await Promise.all([
        backlog(),
        spoolDepth ? inTime(spoolDepth) : undefined,
      ]);
      const reasons: string[] = [];
      if (refusesLeads()) reasons.push('The last lead could not be stored.');
      if (!isDatabaseUp) reasons.push('The database does not answer.');
      if (oldestSeconds > lateAfterSeconds) {
        reasons.push(`A delivery has waited for more than ${lateAfterSeconds} seconds.`);
      }
      if (spoolDepth !== undefined && depth === undefined) reasons.push('The spool does not answer.');
      if (depth !== undefined && depth > 0) reasons.push('Leads wait in the spool for the database.');
      reasons.push(...whyDegraded());
      const canStore = isDatabaseUp || depth !== undefined;
      if (refusesLeads() || !canStore) return { status: 'unavailable', reasons };
      return { status: reasons.length > 0 ? 'degraded' : 'ready', reasons };
    },
    /** Makes all further answers `unavailable`, because the service is stopping. */
    beginDraining: () => void (draining = true),
  };
}

export type DeliveryBacklog = Awaited<ReturnType<ReturnType<typeof createBacklogReader>>>;

/** Returns a function that reads the backlog. Concurrent calls share one query. */
export function createBacklogReader(db: Kysely<Tables>) {
  const query = () =>
    db
      .selectFrom('outbox')
      .select(({ fn }) => [
        // `min` and `max` of no rows are null, although the types do not say so.
        fn.min<string | null>('createdAt').filterWhere('state', '=', 'pending').as('oldest'),
        fn.max<string | null>('createdAt').filterWhere('state', '=', 'pending').as('newest'),
        fn.countAll().filterWhere('state', '=', 'dead').as('dead'),
      ])
      .where('state', 'in', ['pending', 'dead'])
      .executeTakeFirstOrThrow();
  let known: Awaited<ReturnType<typeof query>> = { oldest: null, newest: null, dead: 0 };
  let reading: ReturnType<typeof read> | undefined;
  async function read() {
    const answer = await inTime(query);
    known = answer ?? known;
    const { oldest, newest, dead } = known;
    const secondsSince = (time: string | null) =>
      time === null ? 0 : (Date.now() - Date.parse(time)) / 1_000;
    return {
      /** Whether the database has answered. While it is down, the other values are the last known ones. */
      isDatabaseUp: answer !== undefined,
      /** PostgreSQL returns counts as strings. */
      deadLetters: Number(dead),
      /**
       * Seconds for which the lead of a pending delivery has waited at most; 0 if there is none. One dated ahead, by a clock that was
       * wrong, counts by the difference, because it may wait for that long.
       */
      oldestSeconds: Math.max(secondsSince(oldest), -secondsSince(newest)),
    };
  }
  return () => (reading ??= read().finally(() => (reading = undefined)));
}

/** In milliseconds. Shorter than database timeouts, because health probes must answer quickly. */
const probeTimeout = 2_000;

/**
 * Returns the result, or undefined if the read fails or times out. It never rejects, because a health check must report
 * a failure instead of failing.
 */
function inTime<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  return Promise.race([read().catch(() => undefined), setTimeout(probeTimeout, undefined, { ref: false })]);
}
