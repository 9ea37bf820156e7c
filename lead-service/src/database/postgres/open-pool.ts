import { Pool, type PoolConfig } from 'pg';
import type { Log } from '../../platform/log.ts';
import type { ConnectionUse } from '../database-access.ts';

const connectTimeout = 5_000;
const keepAliveDelay = 10_000;
/** In milliseconds. Migrations and bulk commands may take long, but a stalled connection must still time out. */
const longQueryTimeout = 10 * 60_000;

const timeouts: Record<ConnectionUse, PoolConfig> = {
  requests: { query_timeout: 5_000 },
  probe: { query_timeout: 5_000 },
  commands: { query_timeout: longQueryTimeout },
  migration: { query_timeout: longQueryTimeout },
  counters: { connectionTimeoutMillis: 1_000, query_timeout: 1_000, max: 2 },
};

/**
 * Opens a connection pool. A lost connection is logged and has no other effect. The pool sets no session parameters,
 * because a pooler rejects them or shares the session with other clients.
 */
export function openPool(url: string, use: ConnectionUse, log: Log): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'lead-service',
    connectionTimeoutMillis: connectTimeout,
    // Limits how long a stalled connection is reused.
    maxLifetimeSeconds: 60,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    ...timeouts[use],
  });
  // The message is that of the connection, not of a query, so it quotes no data.
  const logLoss = (error: Error & { readonly code?: string }) =>
    log.error('lost a database connection', { code: error.code, reason: error.message });
  pool.on('error', logLoss);
  // The pool handles errors of idle connections only. An unhandled error of a connection in use would end the process.
  pool.on('acquire', (client) => client.on('error', logLoss));
  pool.on('release', (_error, client) => client.off('error', logLoss));
  return pool;
}
