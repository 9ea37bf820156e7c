import { acceptLeads, type AcceptedLead } from '../database/accept-leads.ts';
import type { Database } from '../database/database.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { describeError, type Log } from '../platform/log.ts';
import { batchSize, timed, type LeadStore, type StoreOutcome } from './lead-store.ts';
import { SpoolMover } from './spool-mover.ts';
import type { Spool } from './spool.ts';

/** Stores leads in a shared database, and in the local spool while that database is unavailable or rejects a lead. */
export class SpoolingStore implements LeadStore {
  readonly #primary: Database;
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #mover: SpoolMover;
  readonly #commits = new GroupCommit<AcceptedLead, StoreOutcome>((group) => this.#commit(group), batchSize);
  /** Whether leads go to the spool. It stays true until the mover has emptied the spool. */
  #spooling: boolean;

  /**
   * @param startsSpooling whether leads go to the spool at first, because the database is unavailable or the spool is
   *   not empty
   */
  constructor(primary: Database, spool: Spool, log: Log, startsSpooling: boolean) {
    this.#primary = primary;
    this.#spool = spool;
    this.#log = log;
    this.#mover = new SpoolMover(primary, spool, log);
    this.#spooling = startsSpooling;
    if (startsSpooling) this.#mover.start();
  }

  add(lead: AcceptedLead): Promise<StoreOutcome> {
    return this.#commits.add(lead);
  }

  rejected(): number {
    return this.#mover.rejected;
  }

  async stop(): Promise<void> {
    await this.#commits.drained();
    await this.#mover.stop();
  }

  /**
   * Group commits run one at a time. So no lead enters the spool between the check that it is empty and the switch to
   * the database.
   */
  async #commit(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[]> {
    if (this.#spooling && (await this.#mover.hasEmptied())) {
      this.#spooling = false;
      this.#log.info('leads go to the database again');
    }
    const wasSpooling = this.#spooling;
    const outcomes =
      (wasSpooling ? undefined : await this.#addToPrimary(group)) ??
      (await this.#addToSpool(group)) ??
      // An unreadable spool never counts as empty, so the database must be tried as well.
      (wasSpooling ? await this.#addToPrimary(group) : undefined);
    if (outcomes !== undefined) return outcomes;
    this.#log.error('neither the database nor the spool takes leads', { count: group.length });
    return group.map(() => ({ kind: 'unavailable' }));
  }

  /** Returns undefined if the database is unavailable, or rejects the only lead of the group. */
  async #addToPrimary(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[] | undefined> {
    try {
      return await timed(this.#log, 'database', group, () => acceptLeads(this.#primary, group));
    } catch (error) {
      const reason = this.#primary.access.unavailability(error);
      if (reason === undefined) {
        // The group commit retries the leads of a larger group one by one.
        if (group.length > 1) throw error;
        // The sender has made no error, and the operator can read the lead in the spool.
        this.#log.error('the database rejects a lead, it goes to the spool', { error: describeError(error) });
        return undefined;
      }
      if (!this.#spooling) this.#log.error('the database is unavailable, leads go to the spool', { reason });
      this.#spooling = true;
      this.#mover.lost();
      return undefined;
    }
  }

  /** Returns undefined if the spool is unavailable. */
  async #addToSpool(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[] | undefined> {
    try {
      const outcomes = await timed(this.#log, 'spool', group, () =>
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
