import { setTimeout } from 'node:timers/promises';
import { GroupCommit } from '../group-commit.ts';
import { describeError, type Log } from '../log.ts';
import { acceptLeads, type Acceptance, type AcceptedLead } from './accept-leads.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { moveSpooled } from './move-spooled.ts';
import type { Spool } from './spool.ts';

/**
 * Adds to {@link Acceptance}: `spooled`: committed on this machine, because the shared database is away; it moves over
 * by itself. `unavailable`: nothing could take it now, nothing was written for good.
 */
export type StoreOutcome = Acceptance | { readonly kind: 'spooled' } | { readonly kind: 'unavailable' };

/** Is told of every commit of leads, and where they are then. */
export type CommitObserver = (commit: {
  readonly place: 'database' | 'spool';
  readonly leads: number;
  readonly seconds: number;
}) => void;

export interface LeadStore {
  /** Commits a lead, together with those that arrive at the same time. Whatever is not an outcome is thrown. */
  add(lead: AcceptedLead): Promise<StoreOutcome>;
  /** How many leads wait on this machine for the shared database. */
  spoolDepth(): Promise<number>;
  /** Finishes what has been added. The databases are closed by whoever opened them. */
  stop(): Promise<void>;
}

/** More would make the first of a group wait for the last without making anything faster. */
const mostAtOnce = 128;
const betweenAttempts = 1_000;

/** Keeps leads in a database alone. */
export function createDirectStore(
  { db, access }: Database,
  log: Log,
  observe: CommitObserver = () => undefined,
): LeadStore {
  const commits = new GroupCommit<AcceptedLead, StoreOutcome>(async (group) => {
    try {
      return await timed(observe, 'database', group, () => acceptLeads(db, group));
    } catch (error) {
      const reason = access.unavailability(error);
      if (reason === undefined) throw error;
      log.error('could not store leads', { count: group.length, reason });
      return group.map(() => ({ kind: 'unavailable' }));
    }
  }, mostAtOnce);
  return {
    add: (lead) => commits.add(lead),
    spoolDepth: async () => 0,
    stop: () => commits.drained(),
  };
}

/** Keeps leads in a shared database, and on this machine while that one is away. */
export class SpoolingStore implements LeadStore {
  readonly #primary: Database;
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #observe: CommitObserver;
  readonly #stopping = new AbortController();
  readonly #commits = new GroupCommit<AcceptedLead, StoreOutcome>((group) => this.#commit(group), mostAtOnce);
  /** Leads go to the spool. That ends when the spool is found empty after the primary has come back. */
  #spooling: boolean;
  #primaryIsBack = false;
  /** Counts what goes into the spool, so that the mover sees that more has come while it looked. */
  #spooledGroups = 0;
  #mover: Promise<void> | undefined;

  /** @param away whether leads go to the spool at first: the primary does not answer, or the spool is not empty. */
  constructor(
    primary: Database,
    spool: Spool,
    log: Log,
    away: boolean,
    observe: CommitObserver = () => undefined,
  ) {
    this.#primary = primary;
    this.#spool = spool;
    this.#log = log;
    this.#observe = observe;
    this.#spooling = away;
    if (away) this.#startMover();
  }

  add(lead: AcceptedLead): Promise<StoreOutcome> {
    return this.#commits.add(lead);
  }

  spoolDepth(): Promise<number> {
    return this.#spool.depth();
  }

  async stop(): Promise<void> {
    await this.#commits.drained();
    this.#stopping.abort();
    await this.#mover;
  }

  /** Runs one at a time: nothing goes into the spool between finding it empty and leaving it. */
  async #commit(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[]> {
    if (this.#spooling && this.#primaryIsBack && (await this.#spool.depth()) === 0) {
      this.#spooling = false;
      this.#log.info('leads go to the database again');
    }
    if (!this.#spooling) {
      try {
        return await timed(this.#observe, 'database', group, () => acceptLeads(this.#primary.db, group));
      } catch (error) {
        const reason = this.#primary.access.unavailability(error);
        if (reason === undefined) throw error;
        this.#log.error('the database is away, leads go to the spool', { reason });
        this.#spooling = true;
        this.#primaryIsBack = false;
      }
    }
    return this.#addToSpool(group);
  }

  async #addToSpool(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[]> {
    try {
      const outcomes = await timed(this.#observe, 'spool', group, () =>
        this.#spool.add(group.map(answeredWith202)),
      );
      return outcomes.map((outcome) => (outcome.kind === 'stored' ? { kind: 'spooled' } : outcome));
    } catch (error) {
      const reason = this.#spool.access.unavailability(error);
      if (reason === undefined) throw error;
      this.#log.error('neither the database nor the spool takes leads', { count: group.length, reason });
      return group.map(() => ({ kind: 'unavailable' }));
    } finally {
      this.#spooledGroups += 1;
      this.#startMover();
    }
  }

  #startMover(): void {
    this.#mover ??= this.#moveUntilEmpty();
  }

  async #moveUntilEmpty(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const before = this.#spooledGroups;
      try {
        const moved = await this.#moveSome();
        if (moved > 0) this.#log.info('moved leads from the spool to the database', { count: moved });
        else if (before === this.#spooledGroups) break;
      } catch (error) {
        if (this.#primary.access.unavailability(error) === undefined) {
          this.#log.error('could not move leads from the spool', { error: describeError(error) });
        }
        await setTimeout(betweenAttempts, undefined, { signal }).catch(() => undefined);
      }
    }
    // In the same breath as the last look: what comes from now on starts it again.
    this.#mover = undefined;
  }

  async #moveSome(): Promise<number> {
    // The primary may never have answered since this process started.
    if (!this.#primaryIsBack) await migrate(this.#primary.access);
    const moved = await moveSpooled(this.#spool, this.#primary.db);
    this.#primaryIsBack = true;
    return moved;
  }
}

async function timed<Result>(
  observe: CommitObserver,
  place: 'database' | 'spool',
  { length: leads }: readonly AcceptedLead[],
  commit: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const result = await commit();
  observe({ place, leads, seconds: (performance.now() - begun) / 1_000 });
  return result;
}

function answeredWith202(accepted: AcceptedLead): AcceptedLead {
  return { ...accepted, idempotency: { ...accepted.idempotency, answerStatus: 202 } };
}
