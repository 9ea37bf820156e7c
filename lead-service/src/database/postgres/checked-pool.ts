import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { queryWithSettings } from './transaction-settings.ts';

/**
 * Takes back only connections that are ready for the next query. When PostgreSQL has not answered a query, not even with
 * an error, nobody knows what the connection says next, or whether a transaction is open on it: it is closed at once.
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
        // The other way to ask, with a cursor, is for streams, which nobody here uses.
        query: query as unknown as PostgresPoolClient['query'],
        release: (isBroken = false) => giveBack(client, !isBroken && client.getTransactionStatus() === 'I'),
      };
    },
    /** Breaks off what is under way: whoever closes has waited for it, or waits no longer. */
    async end() {
      const ended = pool.end();
      for (const client of lent) giveBack(client, false);
      await ended;
    },
  };
}
