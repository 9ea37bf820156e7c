import { Pool, type PoolConfig } from 'pg';
import { describeError, type Log } from '../log.ts';
import type { ConnectionUse } from './database-access.ts';

const connectTimeout = 5_000;
const keepAliveDelay = 10_000;
/** A step of a migration, or a command over everything, may take long. A line that has gone dead ends all the same. */
const patientQueryTimeout = 10 * 60_000;

const timeouts: Record<ConnectionUse, PoolConfig> = {
  requests: { query_timeout: 5_000 },
  look: { query_timeout: 5_000 },
  commands: { query_timeout: patientQueryTimeout },
  migration: { query_timeout: patientQueryTimeout },
  counters: { connectionTimeoutMillis: 1_000, query_timeout: 1_000, max: 2 },
};

/**
 * Connections to PostgreSQL. Losing one is logged, and ends nothing else. No setting of a session is among the parameters:
 * a pooler would refuse it, or share the session with other clients.
 */
export function openPool(url: string, use: ConnectionUse, log: Log): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'lead-service',
    connectionTimeoutMillis: connectTimeout,
    // Bounds the time in which a connection whose other end has vanished without a word is used again.
    maxLifetimeSeconds: 60,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    ...timeouts[use],
  });
  const noteLoss = (error: Error) => log.error('lost a database connection', { error: describeError(error) });
  pool.on('error', noteLoss);
  // The pool listens to idle connections only; the loss of one in use would end the process.
  pool.on('acquire', (client) => client.on('error', noteLoss));
  pool.on('release', (_error, client) => client.off('error', noteLoss));
  return pool;
}
