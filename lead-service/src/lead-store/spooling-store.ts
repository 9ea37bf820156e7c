import { setTimeout } from 'node:timers/promises';
import { acceptLeads, type AcceptedLead } from '../database/accept-leads.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { describeError, type Log } from '../platform/log.ts';
import { StartupError } from '../platform/startup-error.ts';
import { batchSize, timed, type LeadStore, type StoreOutcome } from './lead-store.ts';
import { moveLeads } from './move-leads.ts';
import type { Spool } from './spool.ts';

/** Milliseconds. */
const retryInterval = 1_000;
/** In milliseconds. The operator may have removed the reason why the database rejects leads. */
const rejectedInterval = 10 * 60_000;

/**
 * Stores leads in a shared database, and in the local spool while that database is unavailable or rejects a lead. Moves the
 * spooled leads to the database, oldest first, once it is available.
 */
export class SpoolingStore implements LeadStore {
  readonly #primary: Database;
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #rejectedInterval: number;
  readonly #stopping = new AbortController();
  readonly #commits = new GroupCommit<AcceptedLead, StoreOutcome>((group) => this.#commit(group), batchSize);
  /** Leads that the database rejects. They stay in the spool, do not block the others, and are tried again at times. */
  readonly #rejected = new Set<string>();
  /** Whether leads go to the spool, because the last query of the database failed. A move makes it false. */
  #isDown: boolean;
  #hasMigrated: boolean;
  #unsuitable: string | undefined;
  /** Whether a lead was spooled since the mover has looked for leads. */
  #hasSpooled = false;
  #moving: Promise<void> | undefined;

  /**
   * @param isDown whether the database is unavailable at the start, and so may need a migration
   * @param retryRejected milliseconds until rejected leads are tried again
   */
  constructor(primary: Database, spool: Spool, log: Log, isDown: boolean, retryRejected = rejectedInterval) {
    this.#primary = primary;
    this.#spool = spool;
    this.#log = log;
    this.#isDown = isDown;
    this.#hasMigrated = !isDown;
    this.#rejectedInterval = retryRejected;
    this.#startMoving();
  }

  add(lead: AcceptedLead): Promise<StoreOutcome> {
    return this.#commits.add(lead);
  }

  rejected(): number {
    return this.#rejected.size;
  }

  async stop(): Promise<void> {
    await this.#commits.drained();
    this.#stopping.abort();
    await this.#moving;
  }

  async #commit(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[]> {
    const wasDown = this.#isDown;
    const outcomes =
      (wasDown ? undefined : await this.#addToPrimary(group)) ??
      (await this.#addToSpool(group)) ??
      (wasDown ? await this.#addToPrimary(group) : undefined);
    if (outcomes !== undefined) return outcomes;
    this.#log.error('neither the database nor the spool takes leads', { count: group.length });
    return group.map(() => ({ kind: 'unavailable' }));
  }

  /** Returns undefined if the database is unavailable, or rejects the only lead of the group. */
  async #addToPrimary(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[] | undefined> {
    try {
      return await timed('database', group, () => acceptLeads(this.#primary, group));
    } catch (error) {
      const reason = this.#primary.access.unavailability(error);
      if (reason === undefined) {
        // The group commit retries the leads of a larger group one by one.
        if (group.length > 1) throw error;
        // The sender has made no error, and the operator can read the lead in the spool.
        this.#log.error('the database rejects a lead, it goes to the spool', { error: describeError(error) });
        return undefined;
      }
      if (!this.#isDown) this.#log.error('the database is unavailable, leads go to the spool', { reason });
      this.#isDown = true;
      return undefined;
    }
  }

  /** Returns undefined if the spool is unavailable. */
  async #addToSpool(group: readonly AcceptedLead[]): Promise<readonly StoreOutcome[] | undefined> {
    try {
      const outcomes = await timed('spool', group, () => this.#spool.add(group));
      return outcomes.map((outcome) => (outcome.kind === 'stored' ? { kind: 'spooled' } : outcome));
    } catch (error) {
      const reason = this.#spool.access.unavailability(error);
      if (reason === undefined) throw error;
      this.#log.error('the spool takes no leads', { count: group.length, reason });
      return undefined;
    } finally {
      this.#startMoving();
    }
  }

  #startMoving(): void {
    this.#hasSpooled = true;
    this.#moving ??= this.#move();
  }

  async #move(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#hasSpooled && !signal.aborted) {
      this.#hasSpooled = false;
      try {
        await this.#moveAll();
      } catch (error) {
        this.#hasSpooled = true;
        this.#noteFailure(error);
        await setTimeout(retryInterval, undefined, { signal }).catch(() => undefined);
      }
    }
    // Must run synchronously after the last check, so that a lead spooled later restarts the loop.
    this.#moving = undefined;
  }

  async #moveAll(): Promise<void> {
    if (!this.#hasMigrated) await migrate(this.#primary);
    this.#hasMigrated = true;
    let leads: readonly AcceptedLead[];
    do {
      leads = await this.#spool.oldest(batchSize, [...this.#rejected]);
      const moved = await this.#moveBatch(leads);
      if (moved > 0) this.#log.info('moved leads from the spool to the database', { count: moved });
      if (this.#isDown) this.#log.info('leads go to the database again');
      this.#isDown = false;
    } while (leads.length > 0 && !this.#stopping.signal.aborted);
  }

  async #moveBatch(leads: readonly AcceptedLead[]): Promise<number> {
    try {
      await moveLeads(leads, this.#spool, this.#primary);
      return leads.length;
    } catch (error) {
      const [only, ...others] = leads;
      if (only === undefined || this.#primary.access.unavailability(error) !== undefined) throw error;
      if (others.length === 0) {
        this.#reject(only, error);
        return 0;
      }
    }
    // Retries the leads one by one, because one rejected lead must not block the others.
    let moved = 0;
    for (const lead of leads) moved += await this.#moveBatch([lead]);
    return moved;
  }

  #reject({ lead }: AcceptedLead, error: unknown): void {
    this.#log.error('the database refuses a lead, it stays in the spool', {
      lead: lead.id,
      error: describeError(error),
    });
    this.#rejected.add(lead.id);
    if (this.#rejected.size > 1) return;
    void setTimeout(this.#rejectedInterval, undefined, { ref: false }).then(() => {
      this.#rejected.clear();
      this.#startMoving();
    });
  }

  #noteFailure(error: unknown): void {
    // The database answers, but its schema or encoding does not fit this version. Logged once.
    if (error instanceof StartupError) {
      if (error.message !== this.#unsuitable) {
        this.#log.error('leads stay in the spool', { reason: error.message });
      }
      this.#unsuitable = error.message;
    } else if (this.#primary.access.unavailability(error) === undefined) {
      this.#log.error('could not move leads from the spool', { error: describeError(error) });
    }
  }
}
