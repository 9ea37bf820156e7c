import {
  type InsertOutcome,
  type LeadToStore,
  insertLeads,
  idempotencyRecord,
} from '../database/insert-leads.ts';
import type { Database } from '../database/database.ts';
import { isLocked } from '../database/sqlite-access.ts';
import type { DeliveryKind, LeadRow, OutboxRow } from '../database/tables.ts';
import { groupCommit } from '../platform/group-commit.ts';
import { describeError, type Log } from '../platform/log.ts';
import { leadCommits } from '../platform/event-metrics.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';
import { createSpoolMover } from './spool-mover.ts';
import type { Spool } from './spool.ts';

/**
 * Adds to {@link InsertOutcome}: `spooled`: committed to the local spool, because the shared database is unavailable, and the
 * spool mover moves it later; or because the database refuses this lead. `unavailable`: neither place accepted it, `locked`: because
 * another process has locked the file, such as a command for a moment. If the response of a commit was lost, its result is unknown; a
 * retry finds it.
 */
export type StoreOutcome = InsertOutcome | { readonly kind: 'spooled' | 'unavailable' | 'locked' };

/** A lead that passed validation and spam filter. */
export interface IncomingLead {
  readonly lead: LeadRow;
  /** Hash of the user text, equal for equal leads. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | undefined;
}

/** Maximum number of leads per commit. Larger groups increase the latency but not the throughput. */
const batchSize = 128;

export type LeadStore = ReturnType<typeof createLeadStore>;

/**
 * Stores leads in the database, in groups of leads that arrive at the same time. With a spool, a lead goes there while the database is
 * unavailable or refuses it.
 *
 * The first leads of an outage wait for up to about 12 s: a second for `rate-limit/counters.ts`, 5 s to connect, 5 s for the query
 * (`database/postgres-access.ts`), and a second if the spool is locked. The form gives up after 30 s (`submit-lead.ts` of mf-leads).
 *
 * @param webhooks names of the webhook endpoints
 * @param wasDown whether the database is unavailable at the start, and so may need a migration
 */
export function createLeadStore(
  database: Database,
  spool: Spool | undefined,
  webhooks: readonly string[],
  log: Log,
  wasDown: boolean,
) {
  const commits = groupCommit(commit, batchSize);
  /** Whether leads go to the spool, because the last query of the database failed. */
  let isDown = wasDown;
  /** Why the last group could not be stored. */
  let failure: 'unavailable' | 'locked';
  const onAvailable = () => {
    if (isDown) log.info('leads go to the database again');
    isDown = false;
  };
  const mover = spool && createSpoolMover(database, spool, log, { onAvailable, mayNeedMigration: wasDown });
  mover?.start();

  /** While the database is down, the spool comes first, so that leads do not wait for a timeout. */
  async function commit(group: readonly LeadToStore[]): Promise<readonly StoreOutcome[]> {
    const [first, second] = isDown ? [addToSpool, addToDatabase] : [addToDatabase, addToSpool];
    failure = 'unavailable';
    const outcomes = (await first(group)) ?? (await second(group));
    if (outcomes !== undefined) return outcomes;
    log.error('could not store leads', { count: group.length });
    return group.map(() => ({ kind: failure }));
  }

  /** Returns undefined if the leads must go to the spool: the database is unavailable, or refuses the only lead of the group. */
  async function addToDatabase(group: readonly LeadToStore[]): Promise<readonly StoreOutcome[] | undefined> {
    try {
      const outcomes = await timed('database', () => insertLeads(database, group));
      onAvailable();
      return outcomes;
    } catch (error) {
      const reason = database.access.unavailability(error);
      // The group commit retries the leads of a larger group one by one.
      if (reason === undefined && (group.length > 1 || spool === undefined)) throw error;
      if (isLocked(error)) failure = 'locked';
      if (reason === undefined) {
        // The sender has made no error, and the operator can read the lead in the spool.
        const details = { lead: group[0]?.lead.id, error: describeError(error) };
        log.error('the database refuses a lead, which only the spool can take', details);
      } else if (!isDown) log.error('the database is unavailable', { reason });
      // Without a spool, each commit tries the database.
      isDown ||= reason !== undefined && spool !== undefined;
      return undefined;
    }
  }

  /** Returns undefined if the spool is unavailable, or there is none. */
  async function addToSpool(group: readonly LeadToStore[]): Promise<readonly StoreOutcome[] | undefined> {
    if (spool === undefined) return undefined;
    try {
      const outcomes = await timed('spool', () => spool.add(group));
      mover?.notify();
      return outcomes.map((outcome) => (outcome.kind === 'stored' ? { kind: 'spooled' } : outcome));
    } catch (error) {
      const reason = spool.access.unavailability(error);
      if (reason === undefined) throw error;
      if (isLocked(error)) failure = 'locked';
      log.error('the spool takes no leads', { reason });
      return undefined;
    }
  }

  return {
    /** Commits a lead, with its deliveries and the record that makes it one. Throws unexpected errors. */
    add: (incoming: IncomingLead) => commits.add(rowsToStore(incoming, webhooks)),
    /** Number of leads in the spool that the database refuses. */
    refusedByDatabase: () => mover?.refusedByDatabase() ?? 0,
    /** Waits for pending commits. The caller closes the databases. */
    async stop(): Promise<void> {
      await commits.drained();
      await mover?.stop();
    },
  };
}

/** @param webhooks names of the webhook endpoints */
export function rowsToStore(
  { lead, fingerprint, idempotencyKey }: IncomingLead,
  webhooks: readonly string[],
): LeadToStore {
  const idempotency = idempotencyRecord(lead, fingerprint, idempotencyKey);
  return { lead, idempotency, outbox: planDeliveries(lead, webhooks) };
}

/** Measures a commit that succeeds. */
async function timed<Result>(place: 'database' | 'spool', commit: () => Promise<Result>): Promise<Result> {
  const observeSeconds = leadCommits.startTimer({ place });
  const result = await commit();
  observeSeconds();
  return result;
}

/**
 * Plans the deliveries of a lead: a mail to sales, and a webhook to each endpoint. Those of a quarantined lead are held.
 *
 * @param webhooks names of the webhook endpoints
 */
export function planDeliveries(
  { id: leadId, receivedAt, quarantinedAt }: LeadRow,
  webhooks: readonly string[],
): OutboxRow[] {
  const row = (kind: DeliveryKind, target = ''): OutboxRow => ({
    id: uuidV7(Date.parse(receivedAt)),
    leadId,
    kind,
    target,
    state: quarantinedAt === null ? 'pending' : 'held',
    attempts: 0,
    nextAttemptAt: receivedAt,
    leasedUntil: null,
    createdAt: receivedAt,
    finishedAt: null,
  });
  return [row('sales-mail'), ...webhooks.map((name) => row('webhook', name))];
}
