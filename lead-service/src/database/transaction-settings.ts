import { Query, type PoolClient, type QueryResult } from 'pg';
import type { ConnectionUse } from './database-access.ts';
import { lockWaits } from './lock-waits.ts';

/** Keeps what is stricter than `on`. A server, or another client of the same pooler, may have turned it off. */
const onDisk = `case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end`;
const soon = `'off'`;

/**
 * A statement that sets up the transaction it runs in, and nothing else. A session is never changed, because behind a
 * pooler in transaction mode the next transaction of the session belongs to another client.
 */
export function transactionSettings(use: ConnectionUse): string {
  const commit = use === 'counters' ? soon : onDisk;
  return `select set_config('lock_timeout', '${lockWaits[use]}', true), set_config('synchronous_commit', ${commit}, true)`;
}

/** Runs a query with settings of its transaction. Inside a transaction, its first query has made them already. */
export async function queryWithSettings(
  client: PoolClient,
  settings: string,
  sql: string,
  parameters: readonly unknown[],
): Promise<QueryResult> {
  if (client.getTransactionStatus() !== 'I') return client.query(sql, [...parameters]);
  if (parameters.length > 0) return queryBehind(client, settings, sql, parameters);
  // Statements in one message are one transaction. Its isolation level must be set first.
  const isBegin = /^(begin|start transaction)\b/.test(sql);
  const results = await client.query(isBegin ? `${sql}; ${settings}` : `${settings}; ${sql}`);
  return lastOf(results);
}

/**
 * Runs two statements before one Sync message of the protocol: PostgreSQL makes one transaction of them and answers once,
 * so the settings cost no round trip.
 */
function queryBehind(
  client: PoolClient,
  settings: string,
  sql: string,
  parameters: readonly unknown[],
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new Query({ text: sql, values: [...parameters] }, (error, results) =>
      error ? reject(error) : resolve(lastOf(results)),
    );
    const { submit } = query;
    query.submit = (connection) => {
      connection.stream.cork();
      try {
        connection.parse({ name: '', text: settings, types: [] }, true);
        connection.bind({}, true);
        connection.describe({ type: 'P' }, true);
        connection.execute({}, true);
        return submit.call(query, connection);
      } finally {
        connection.stream.uncork();
      }
    };
    client.query(query);
  });
}

/** Several statements have several results, which the types do not say. */
function lastOf(results: QueryResult): QueryResult {
  return [results].flat().at(-1) ?? results;
}
