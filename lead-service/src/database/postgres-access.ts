import { hash } from 'node:crypto';
import { CompiledQuery, PostgresAdapter, PostgresDialect, sql, type Kysely } from 'kysely';
import { DatabaseError, Pool } from 'pg';
import { ExplainedError } from '../platform/explained-error.ts';
import { reasonOf, type Log } from '../platform/log.ts';
import type { ConnectionUse, DatabaseAccess } from './database-access.ts';
import { insertStatements } from './insert-statements.ts';
import { resultCode } from './sqlite-access.ts';
import type { Tables } from './tables.ts';

/** Timeouts, in milliseconds. */
const connectTimeout = 5_000;
const queryTimeouts: Record<ConnectionUse, number> = { requests: 5_000, commands: 10 * 60_000 };

/** Each insert has one parameter, all rows as JSON. The text is therefore the same for every group size. */
const inserts = insertStatements((columns, parameter, leadId) => {
  const values = Object.keys(columns).map((property) => `given."${property}"`);
  const types = Object.entries(columns).map(([property, type]) => `"${property}" ${type}`);
  const allRows = `select ${values.join(', ')} from json_to_recordset(${parameter}) as given (${types.join(', ')})`;
  return leadId === undefined ? allRows : `${allRows} join claims on lead_id = given."${leadId}"`;
});
/** One statement, and so one round trip. The later inserts see the claims only through RETURNING. */
const statement = `with claims as (${inserts.claim}), stored as (${inserts.lead}), planned as (${inserts.delivery}) select lead_id from claims`;

/**
 * Sorted, so that two instances cannot deadlock: each locks the second keys first, because the join needs all of them, and then the
 * keys. The insert of the second keys returns those that are new or ended. The parameters are a batch as JSON, and the time.
 */
const counterStatement = `
  with given as (
    select key, once, case when once is null then sum(points) else 1 end as points, max("endsAt") as ends_at
    from json_to_recordset($1) as addition (key text, once text, points integer, "endsAt" text)
    group by key, once
  ), begun as (
    insert into counters (key, points, ends_at)
    select once, 1, ends_at from given where once is not null order by once
    on conflict (key) do update set ends_at = excluded.ends_at where counters.ends_at <= $2
    returning key
  )
  insert into counters (key, points, ends_at)
  select given.key, sum(case when once is null or begun.key is not null then points else 0 end), max(ends_at)
  from given left join begun on begun.key = once
  group by given.key order by given.key
  on conflict (key) do update set
    points = excluded.points + case when counters.ends_at <= $2 then 0 else counters.points end,
    ends_at = case when counters.ends_at <= $2 then excluded.ends_at else counters.ends_at end
  returning key, points, ends_at`;

export function accessPostgres(url: string, log: Log): DatabaseAccess {
  const { host, pathname } = new URL(url);
  const where = `postgres://${host}${pathname}`;
  let pool: Pool | undefined;
  const insertLeads = createNamedQuery('insert into leads', statement, () => pool);
  const addCounts = createNamedQuery('add to counters', counterStatement, () => pool);
  return {
    where,
    hasSeveralWriters: true,
    open: (use) => new PooledPostgresDialect({ pool: (pool = openPool(url, use, log)) }),
    async findUnsuitable(db) {
      const { rows } = await sql<{ encoding: string; commit: string }>`
        select current_setting('server_encoding') as encoding, current_setting('synchronous_commit') as commit
      `.execute(db);
      const { encoding = '', commit } = rows[0] ?? {};
      if (commit === 'off') {
        return `The database ${where} has synchronous_commit = off, so a crash loses leads that were acknowledged. Set it to on for this database or user.`;
      }
      // SQL_ASCII stores the bytes that it gets.
      if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return undefined;
      return `The database ${where} has the encoding ${encoding}, which lacks characters that visitors type. Restore it into a database with the encoding UTF8, and set DATABASE_URL to that.`;
    },
    async insertGroup(db, rows) {
      // The parameters $1, $2 and $3 of `insertStatements`.
      const tables = [rows.idempotencyRecords, rows.leads, rows.outbox].map((table) => JSON.stringify(table));
      const inserted = await insertLeads(db, ...tables);
      return inserted.map(({ lead_id: leadId }) => String(leadId));
    },
    async addToCounters(db, batch) {
      const rows = await addCounts(db, JSON.stringify(batch), new Date().toISOString());
      return rows.map(({ key, points, ends_at: endsAt }) => ({
        ...{ key: String(key), points: Number(points), endsAt: String(endsAt) },
      }));
    },
    // PostgreSQL removes deleted rows by autovacuum.
    scrub: async () => undefined,
    unavailability: (error) => (isUnavailable(error) ? reasonOf(error) : undefined),
    // SQLSTATE: authorization, catalog, insufficient privilege.
    // The text is that of PgBouncer, whose code is the same for errors that pass.
    isWrongSetting: (error) =>
      error instanceof DatabaseError &&
      (/^(28|3D|42501)/.test(error.code ?? '') || error.message.includes('statement pooling mode')),
    explain: (error) =>
      `Cannot use the database at ${where} (${reasonOf(error)}). Check DATABASE_URL, and that PostgreSQL answers there.`,
  };
}

/** SQLSTATE: the statement is prepared already on this connection, or is not prepared on it. */
const otherSessionCodes = ['42P05', '26000'];

type RawRow = Readonly<Record<string, unknown>>;

/**
 * Outside of a transaction, a named statement is prepared once per connection, because planning takes longer than running. Behind a
 * pooler in transaction mode, the connection may be another one for each transaction. From the first error that shows it, the
 * statement has no name. Returns rows with the names of columns.
 */
function createNamedQuery(label: string, text: string, getPool: () => Pool | undefined) {
  // With a hash of its text, because a pooler may lend a connection on which another version of the service has prepared its own.
  const name = `${label} ${hash('sha256', text).slice(0, 16)}`;
  let isNamed = true;
  return async (db: Kysely<Tables>, ...values: readonly string[]): Promise<readonly RawRow[]> => {
    const pool = getPool();
    if (isNamed && pool !== undefined && !db.isTransaction) {
      try {
        return (await pool.query<RawRow>({ name, text, values: [...values] })).rows;
      } catch (error) {
        if (!(error instanceof DatabaseError && otherSessionCodes.includes(error.code ?? ''))) throw error;
        isNamed = false;
      }
    }
    return (await db.withoutPlugins().executeQuery<RawRow>(CompiledQuery.raw(text, [...values]))).rows;
  };
}

/** Opens a connection pool. A lost connection is logged and has no other effect. */
function openPool(url: string, use: ConnectionUse, log: Log): Pool {
  const pool = new Pool({
    connectionString: url,
    enableChannelBinding: ['prefer', 'require'].includes(
      new URL(url).searchParams.get('channel_binding') ?? '',
    ),
    application_name: 'lead-service',
    connectionTimeoutMillis: connectTimeout,
    query_timeout: queryTimeouts[use],
    // In pipeline mode, the driver closes a connection whose query times out.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without listeners, Node would end the process. The pool listens only to idle connections, and passes their errors on.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // The message is that of the connection, not of a query, so it quotes no data.
    client.on('error', (error: Error & { readonly code?: string }) =>
      log.error('lost a database connection', { code: error.code, reason: error.message }),
    );
    // The locks of a machine that has lost its power end before TCP ends its connection. No startup parameter, because PgBouncer refuses it.
    client.query(`set idle_in_transaction_session_timeout = '1min'`).catch(() => undefined);
  });
  // A closing connection counts as usable until its socket has closed. The pool would lend it again.
  pool.on('release', (_error, client) => {
    if (client.connection.stream.destroyed) void client.end();
  });
  return pool;
}

class PooledPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new TransactionLockAdapter();
  }
}

/** Kysely locks migrations for a session, which a pooler in transaction mode lends to other clients before it is unlocked. */
class TransactionLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<Tables>): Promise<void> {
    // The number of Kysely's own lock.
    await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(db);
  }

  override async releaseMigrationLock(): Promise<void> {
    // The end of the transaction releases it.
  }
}

function isUnavailable(error: unknown): boolean {
  // SQLSTATE classes: connection, authorization, catalog, rollback, resources, operator intervention, system error.
  // Single codes: read-only transaction, lock not available, insufficient privilege.
  if (error instanceof DatabaseError) {
    return /^(08|28|3D|40|53|57|58|25006|55P03|42501)/.test(error.code ?? '');
  }
  // A lost connection is an error without a name of its own, of Node or of the driver. So are those of a file, which have its path, of
  // SQLite, and our own.
  if (!(error instanceof Error) || error instanceof ExplainedError || 'path' in error) return false;
  return ['Error', 'AggregateError'].includes(error.name) && resultCode(error) === 0;
}
