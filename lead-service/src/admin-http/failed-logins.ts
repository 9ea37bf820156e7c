import type { IncomingMessage } from 'node:http';
import type { Database } from '../database/database.ts';
import { tooManyFailedLogins } from '../http/errors.ts';
import { recordAudit, unknownActor, type AuditAction } from '../lead-admin/audit.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { LocateClient } from '../rate-limit/client.ts';
import { openOwnCounter } from '../rate-limit/counters.ts';

/** Failures of an address within the window, after which its logins are refused without a check. */
const maxFailures = 10;
const windowInSeconds = 600;
/** Milliseconds for which one audit entry counts all failures of an address. */
const entryPeriod = 60_000;
/** Addresses with a separate entry per period. All others share one, so that no client can flood the audit log. */
const maxEntries = 60;

type FailedLogin = Extract<AuditAction, `${string}.login-failed`>;

/** Logins with an unknown token. Counted in memory, so that a flood of them causes no queries. */
export interface FailedLogins {
  /** Throws if the address has failed too often: 429. Must be called before the token is checked. */
  refuseRepeated(request: IncomingMessage, action: FailedLogin): Promise<void>;
  record(request: IncomingMessage, action: FailedLogin): Promise<void>;
  close(): Promise<void>;
}

/** An audit entry of the current period. Written at the first failure, and its count at the end of the period. */
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
  /** By action and address, or by action alone for all addresses that share an entry. */
  const entries = new Map<string, Entry>();
  const timer = setInterval(() => void writeCounts(), entryPeriod).unref();

  async function writeEntry(action: FailedLogin): Promise<string | undefined> {
    const [id] = await db
      .transaction()
      .execute((transaction) => recordAudit(transaction, unknownActor, [{ action }]));
    return id;
  }

  /** Resolves when the entry is stored. */
  async function countInEntry(address: string, action: FailedLogin): Promise<void> {
    const ownKey = `${action} ${address}`;
    const key = entries.has(ownKey) || entries.size < maxEntries ? ownKey : action;
    const entry = entries.get(key) ?? { times: 0, id: writeEntry(action) };
    entry.times += 1;
    entries.set(key, entry);
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
      log.warn('could not write counts of failed logins to the audit log', { error: describeError(error) });
    }
  }

  return {
    async refuseRepeated(request, action) {
      const { address } = clientOf(request);
      if ((await counter.read(address)) < maxFailures) return;
      const { secondsLeft } = await counter.add(address);
      await countInEntry(address, action);
      throw tooManyFailedLogins(Math.max(1, secondsLeft));
    },
    async record(request, action) {
      const { address } = clientOf(request);
      await counter.add(address);
      await countInEntry(address, action);
    },
    async close() {
      clearInterval(timer);
      await writeCounts();
    },
  };
}
