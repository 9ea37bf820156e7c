import { CompiledQuery, PostgresDialect, sql, type Kysely } from 'kysely';
import { DatabaseError, Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import { reasonOf, type ConnectionUse, type DatabaseAccess } from './database-access.ts';
import { groupInsert, type LeadRows } from './group-insert.ts';
import type { Tables } from './tables.ts';

/** Timeouts, in milliseconds. */
const connectTimeout = 5_000;
const queryTimeouts: Record<ConnectionUse, number> = { requests: 5_000, commands: 10 * 60_000 };

/** Each insert has one parameter, all rows as JSON. The text is therefore the same for every group size. */
const inserts = groupInsert((columns, parameter, leadId) => {
  const values = Object.entries(columns).map(
    ([property, type]) => `cast(given.value ->> '${property}' as ${type})`,
  );
  const allRows = `select ${values.join(', ')} from jsonb_array_elements(${parameter}) as given (value)`;
  if (leadId === undefined) return allRows;
  return `${allRows} where exists (select 1 from claims where lead_id = given.value ->> '${leadId}')`;
});
/** One statement, and so one round trip. The later inserts see the claims only through RETURNING. */
const statement = `with claims as (${inserts.claim}), stored as (${inserts.lead}), planned as (${inserts.delivery}) select lead_id from claims`;

export function accessPostgres(url: string, log: Log): DatabaseAccess {
  const { host, pathname } = new URL(url);
  const where = `postgres://${host}${pathname}`;
  let pool: Pool | undefined;
  return {
    where,
    skipsLocked: true,
    open: (use) => new PostgresDialect({ pool: (pool = openPool(url, use, log)) }),
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
    insertGroup: (db, rows) => insertGroup(pool, db, rows),
    // PostgreSQL removes deleted rows by autovacuum.
    scrub: async () => undefined,
    unavailability: (error) => (isUnavailable(error) ? reasonOf(error) : undefined),
    // SQLSTATE: authorization, catalog, insufficient privilege.
    isRefusal: (error) => error instanceof DatabaseError && /^(28|3D|42501)/.test(error.code ?? ''),
    explain: (error) =>
      `Cannot use the database at ${where} (${reasonOf(error)}). Check DATABASE_URL, and that PostgreSQL answers there.`,
  };
}

/** Outside of a transaction, the named statement is prepared once per connection, because planning takes longer than running. */
async function insertGroup(
  pool: Pool | undefined,
  db: Kysely<Tables>,
  { idempotencyRecords, leads, outbox }: LeadRows,
): Promise<readonly string[]> {
  // The parameters $1, $2 and $3 of `groupInsert`.
  const values = [idempotencyRecords, leads, outbox].map((rows) => JSON.stringify(rows));
  if (pool === undefined || db.isTransaction) {
    const inTransaction = await db.executeQuery<{ leadId: string }>(CompiledQuery.raw(statement, values));
    return inTransaction.rows.map(({ leadId }) => leadId);
  }
  const { rows } = await pool.query<{ lead_id: string }>({
    name: 'insert into leads',
    text: statement,
    values,
  });
  return rows.map(({ lead_id: leadId }) => leadId);
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
  pool.on('connect', (client) =>
    // The message is that of the connection, not of a query, so it quotes no data.
    client.on('error', (error: Error & { readonly code?: string }) =>
      log.error('lost a database connection', { code: error.code, reason: error.message }),
    ),
  );
  // A closing connection counts as usable until its socket has closed. The pool would lend it again.
  pool.on('release', (_error, client) => {
    if (client.connection.stream.destroyed) void client.end();
  });
  return pool;
}

function isUnavailable(error: unknown): boolean {
  // SQLSTATE classes: connection, authorization, catalog, rollback, resources, operator intervention, system error.
  // Single codes: read-only transaction, lock not available, insufficient privilege.
  if (error instanceof DatabaseError) {
    return /^(08|28|3D|40|53|57|58|25006|55P03|42501)/.test(error.code ?? '');
  }
  // A lost connection is a plain Error or a system error. These three classes are programming errors.
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}
