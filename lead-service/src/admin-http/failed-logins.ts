import type { IncomingMessage } from 'node:http';
import type { LocateClient } from '../abuse/client.ts';
import { openOwnCounter } from '../abuse/counters.ts';
import { describeError, type Log } from '../log.ts';
import { recordAudit, unknownActor, type AuditAction } from '../sales/audit.ts';
import type { Database } from '../store/database.ts';
import { tooManyFailedLogins } from './admin-errors.ts';

/** Failures of one address within the window, after which its logins are refused unseen. */
const maxFailures = 10;
const windowInSeconds = 600;
/** One audit entry stands for all failures of an address within this time, in milliseconds. */
const entryPeriod = 60_000;
/** Addresses with an entry of their own within that time. All others share one: no sender can fill the audit log. */
const maxEntries = 60;

type FailedLogin = Extract<AuditAction, `${string}.login-failed`>;

/** Logins with a token that is not known. Counted in this process alone, so that a flood of them costs no query. */
export interface FailedLogins {
  /** Throws when the address has failed too often: 429. To be called before the token is looked up. */
  refuseRepeated(request: IncomingMessage, action: FailedLogin): Promise<void>;
  /** Counts a failure. */
  record(request: IncomingMessage, action: FailedLogin): Promise<void>;
  /** Writes the counts that the audit log lacks. */
  close(): Promise<void>;
}

interface Entry {
  times: number;
  readonly id: Promise<string | undefined>;
}

export function createFailedLogins(
  { db }: Pick<Database, 'db'>,
  clientOf: LocateClient,
  log: Log,
): FailedLogins {
  const counter = openOwnCounter('failed-logins', windowInSeconds);
  const entries = new Map<string, Entry>();
  const timer = setInterval(() => void writeCounts(), entryPeriod).unref();

  async function writeEntry(action: FailedLogin): Promise<string | undefined> {
    const [id] = await db
      .transaction()
      .execute((transaction) => recordAudit(transaction, unknownActor, [{ action }]));
    return id;
  }

  async function note(address: string, action: FailedLogin): Promise<void> {
    const own = `${action} ${address}`;
    const key = entries.has(own) || entries.size < maxEntries ? own : action;
    const known = entries.get(key);
    const entry = known ?? { times: 0, id: writeEntry(action) };
    entry.times += 1;
    if (known === undefined) entries.set(key, entry);
    try {
      await entry.id;
    } catch (error) {
      entries.delete(key);
      throw error;
    }
  }

  async function writeCounts(): Promise<void> {
    const repeated = [...entries.values()].filter(({ times }) => times > 1);
    entries.clear();
    try {
      for (const { id, times } of repeated) {
        const details = JSON.stringify({ times });
        await db
          .updateTable('auditEntries')
          .set({ details })
          .where('id', '=', (await id) ?? '')
          .execute();
      }
    } catch (error) {
      log.warn('failed logins are not all counted in the audit log', { error: describeError(error) });
    }
  }

  return {
    async refuseRepeated(request, action) {
      const { address } = clientOf(request);
      if ((await counter.read(address)) < maxFailures) return;
      const { secondsLeft } = await counter.add(address);
      await note(address, action);
      throw tooManyFailedLogins(Math.max(1, secondsLeft));
    },
    async record(request, action) {
      const { address } = clientOf(request);
      await counter.add(address);
      await note(address, action);
    },
    async close() {
      clearInterval(timer);
      await writeCounts();
    },
  };
}
