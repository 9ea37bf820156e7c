import { GroupCommit } from '../group-commit.ts';
import type { Log } from '../log.ts';
import { acceptLeads, type AcceptedLead } from './accept-leads.ts';
import type { Database } from './database.ts';
import { mostAtOnce, timed, type CommitObserver, type LeadStore, type StoreOutcome } from './lead-store.ts';
import { SpoolMover } from './spool-mover.ts';
import type { Spool } from './spool.ts';

/** Keeps leads in a shared database, and on this machine while that one is away. */
export class SpoolingStore implements LeadStore {
  readonly #primary: Database;
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #observe: CommitObserver;
  readonly #mover: SpoolMover;
  readonly #commits = new GroupCommit<AcceptedLead, StoreOutcome>((group) => this.#commit(group), mostAtOnce);
  /** Leads go to the spool. That ends when the mover has emptied it. */
  #spooling: boolean;

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
    this.#mover = new SpoolMover(primary, spool, log);
    this.#spooling = away;
    if (away) this.#mover.start();
  }

  add(lead: AcceptedLead): Promise<StoreOutcome> {
    return this.#commits.add(lead);
  }

  spoolDepth(): Promise<number> {
    return this.#spool.depth();
  }

  async stop(): Promise<void> {
    await this.#commits.drained();
    await this.#mover.stop();
  }

  /** Runs one at a time: nothing goes into the spool between finding it empty and leaving it. */
  async #commit(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[]> {
    if (this.#spooling && (await this.#mover.hasEmptied())) {
      this.#spooling = false;
      this.#log.info('leads go to the database again');
    }
    const wasSpooling = this.#spooling;
    const outcomes =
      (wasSpooling ? undefined : await this.#addToPrimary(group)) ??
      (await this.#addToSpool(group)) ??
      // A spool that cannot be read never runs empty.
      (wasSpooling ? await this.#addToPrimary(group) : undefined);
    if (outcomes !== undefined) return outcomes;
    this.#log.error('neither the database nor the spool takes leads', { count: group.length });
    return group.map(() => ({ kind: 'unavailable' }));
  }

  /** Undefined: the primary does not take leads now. */
  async #addToPrimary(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[] | undefined> {
    try {
      return await timed(this.#observe, 'database', group, () => acceptLeads(this.#primary, group));
    } catch (error) {
      const reason = this.#primary.access.unavailability(error);
      if (reason === undefined) throw error;
      if (!this.#spooling) this.#log.error('the database is away, leads go to the spool', { reason });
      this.#spooling = true;
      this.#mover.lost();
      return undefined;
    }
  }

  /** Undefined: the spool does not take leads now. */
  async #addToSpool(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[] | undefined> {
    try {
      const outcomes = await timed(this.#observe, 'spool', group, () =>
        this.#spool.add(group.map(answeredWith202)),
      );
      return outcomes.map((outcome) => (outcome.kind === 'stored' ? { kind: 'spooled' } : outcome));
    } catch (error) {
      const reason = this.#spool.access.unavailability(error);
      if (reason === undefined) throw error;
      this.#log.error('the spool takes no leads', { count: group.length, reason });
      return undefined;
    } finally {
      this.#mover.start();
    }
  }
}

function answeredWith202(accepted: AcceptedLead): AcceptedLead {
  return { ...accepted, idempotency: { ...accepted.idempotency, answerStatus: 202 } };
}
