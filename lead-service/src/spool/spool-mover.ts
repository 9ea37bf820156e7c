import { setTimeout } from 'node:timers/promises';
import { describeError, type Log } from '../log.ts';
import type { AcceptedLead } from './accept-leads.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { moveLeads } from './move-leads.ts';
import type { Spool } from './spool.ts';

const mostAtOnce = 200;
const betweenAttempts = 1_000;
/** How long a stop waits for an attempt that gets no answer. What it was about stays in the spool. */
const stopTimeout = 8_000;

/** Empties a spool into the database, as soon as that answers, oldest leads first. */
export class SpoolMover {
  readonly #primary: Database;
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  /** Leads that the database refuses for what they are. They stay in the spool, and hold up nobody. */
  readonly #setAside = new Set<string>();
  #hasMigrated = false;
  #primaryIsBack = false;
  /** Counts the starts, so that the end of a run sees that more has come while it looked. */
  #starts = 0;
  #running: Promise<void> | undefined;

  constructor(primary: Database, spool: Spool, log: Log) {
    this.#primary = primary;
    this.#spool = spool;
    this.#log = log;
  }

  /** Begins, or goes on: something is in the spool. */
  start(): void {
    this.#starts += 1;
    this.#running ??= this.#run();
  }

  /** The database does not answer any more. */
  lost(): void {
    this.#primaryIsBack = false;
  }

  /** Whether the database answers and nothing that it would take is left in the spool, as far as that can be read. */
  async hasEmptied(): Promise<boolean> {
    if (!this.#primaryIsBack) return false;
    const depth = await this.#spool.depth().catch((error: unknown) => {
      if (this.#spool.access.unavailability(error) === undefined) throw error;
      return Infinity;
    });
    return depth <= this.#setAside.size;
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
        const moved = await this.#moveSome();
        if (moved > 0) this.#log.info('moved leads from the spool to the database', { count: moved });
        else if (before === this.#starts) break;
      } catch (error) {
        if (this.#primary.access.unavailability(error) === undefined) {
          this.#log.error('could not move leads from the spool', { error: describeError(error) });
        }
        await setTimeout(betweenAttempts, undefined, { signal }).catch(() => undefined);
      }
    }
    // In the same breath as the last look: what comes from now on starts it again.
    this.#running = undefined;
  }

  /** Returns how many have left the spool. */
  async #moveSome(): Promise<number> {
    // The primary may never have answered since this process started.
    if (!this.#hasMigrated) await migrate(this.#primary.access);
    this.#hasMigrated = true;
    const leads = await this.#spool.oldest(mostAtOnce, [...this.#setAside]);
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
        this.#setAside.add(only.lead.id);
        this.#log.error('the database refuses a lead, it stays in the spool', {
          lead: only.lead.id,
          error: describeError(error),
        });
        return 0;
      }
    }
    // One of them is refused for what it is. The others must not wait for it.
    let moved = 0;
    for (const lead of leads) moved += await this.#move([lead]);
    return moved;
  }
}
