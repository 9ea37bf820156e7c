import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { queryWithSettings } from '../transaction-settings.ts';

/**
 * A pool that reuses only connections that are ready for the next query. If a query got no response, the state of its
 * connection is unknown, so the pool closes it at once.
 *
 * @param settings a statement that sets up each transaction
 */
export function checkedPool(pool: Pool, settings: string): PostgresPool {
  const lent = new Set<PoolClient>();

  function giveBack(client: PoolClient, isUsable: boolean): void {
    if (lent.delete(client)) client.release(!isUsable);
  }

  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      lent.add(client);
      const query = async (sql: string, parameters: unknown[]) => {
        try {
          return await queryWithSettings(client, settings, sql, parameters);
        } catch (error) {
          if (!(error instanceof DatabaseError)) giveBack(client, false);
          throw error;
        }
      };
      return {
        // The cast drops the cursor overload, which is for streams. This service does not stream.
        query: query as unknown as PostgresPoolClient['query'],
        release: (isBroken = false) => giveBack(client, !isBroken && client.getTransactionStatus() === 'I'),
      };
    },
    /** Aborts running queries. The caller waits first for the queries that it needs. */
    async end() {
      const ended = pool.end();
      for (const client of lent) giveBack(client, false);
      await ended;
    },
  };
}
