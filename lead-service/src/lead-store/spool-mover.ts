import { setTimeout } from 'node:timers/promises';
import type { AcceptedLead } from '../database/accept-leads.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { describeError, type Log } from '../platform/log.ts';
import { StartupError } from '../platform/startup-error.ts';
import { moveLeads } from './move-leads.ts';
import type { Spool } from './spool.ts';

const batchSize = 200;
/** Milliseconds. */
const retryInterval = 1_000;
/** In milliseconds. How long `stop()` waits for a stalled attempt. Its leads stay in the spool. */
const stopTimeout = 8_000;

/** In milliseconds. The operator may have removed the reason why the database rejects leads. */
const rejectedInterval = 10 * 60_000;

/** Moves leads from a spool to the database, oldest first, once the database is available. */
export class SpoolMover {
  readonly #primary: Database;
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #rejectedInterval: number;
  /** Leads that the database rejects. They stay in the spool, do not block the others, and are tried again at times. */
  readonly #rejected = new Set<string>();
  #hasMigrated = false;
  #unsuitable: string | undefined;
  #primaryIsBack = false;
  /** Number of `start()` calls, by which a finishing run detects leads that were spooled meanwhile. */
  #starts = 0;
  #running: Promise<void> | undefined;

  /** @param retryRejected milliseconds until rejected leads are tried again */
  constructor(primary: Database, spool: Spool, log: Log, retryRejected = rejectedInterval) {
    this.#rejectedInterval = retryRejected;
    this.#primary = primary;
    this.#spool = spool;
    this.#log = log;
  }

  /** Starts the loop, or keeps it running, because a lead was spooled. */
  start(): void {
    this.#starts += 1;
    this.#running ??= this.#run();
  }

  lost(): void {
    this.#primaryIsBack = false;
  }

  /** Whether the database is available and the spool holds no movable lead. An unreadable spool counts as not empty. */
  async hasEmptied(): Promise<boolean> {
    if (!this.#primaryIsBack) return false;
    const depth = await this.#spool.depth().catch((error: unknown) => {
      if (this.#spool.access.unavailability(error) === undefined) throw error;
      return Infinity;
    });
    return depth <= this.#rejected.size;
  }

  /** Number of leads in the spool that the database rejects. */
  get rejected(): number {
    return this.#rejected.size;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#running, setTimeout(stopTimeout, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const before = this.#starts;
      try {
        const moved = await this.#moveBatch();
        if (moved > 0) this.#log.info('moved leads from the spool to the database', { count: moved });
        else if (before === this.#starts) break;
      } catch (error) {
        if (error instanceof StartupError) this.#noteUnsuitable(error.message);
        else if (this.#primary.access.unavailability(error) === undefined) {
          this.#log.error('could not move leads from the spool', { error: describeError(error) });
        }
        await setTimeout(retryInterval, undefined, { signal }).catch(() => undefined);
      }
    }
    // Must run synchronously after the last check, so that a lead spooled later restarts the loop.
    this.#running = undefined;
  }

  #retryRejectedLater(): void {
    void setTimeout(this.#rejectedInterval, undefined, { ref: false }).then(() => {
      this.#rejected.clear();
      this.start();
    });
  }

  /** The database answers, but its schema or encoding does not fit this version. Logged once. */
  #noteUnsuitable(reason: string): void {
    if (reason !== this.#unsuitable) this.#log.error('leads stay in the spool', { reason });
    this.#unsuitable = reason;
  }

  async #moveBatch(): Promise<number> {
    // The database may have been unavailable since startup, so the schema may still need a migration.
    if (!this.#hasMigrated) await migrate(this.#primary.access);
    this.#hasMigrated = true;
    const leads = await this.#spool.oldest(batchSize, [...this.#rejected]);
    const moved = await this.#move(leads);
    this.#primaryIsBack = true;
    return moved;
  }

  async #move(leads: readonly AcceptedLead[]): Promise<number> {
    try {
      await moveLeads(leads, this.#spool, this.#primary);
      return leads.length;
    } catch (error) {
      const [only, ...others] = leads;
      if (only === undefined || this.#primary.access.unavailability(error) !== undefined) throw error;
      if (others.length === 0) {
        if (this.#rejected.size === 0) this.#retryRejectedLater();
        this.#rejected.add(only.lead.id);
        this.#log.error('the database refuses a lead, it stays in the spool', {
          lead: only.lead.id,
          error: describeError(error),
        });
        return 0;
      }
    }
    // Retries the leads one by one, because one rejected lead must not block the others.
    let moved = 0;
    for (const lead of leads) moved += await this.#move([lead]);
    return moved;
  }
}
