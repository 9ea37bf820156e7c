import { Query, type PoolClient, type QueryResult } from 'pg';
import type { ConnectionUse } from './database-access.ts';

/**
 * Keeps settings stricter than `on`, and overrides `off`, which a server or another client of a pooler may have set.
 */
const durableCommit = `case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end`;
const asynchronousCommit = `'off'`;

/** Lock timeout in milliseconds. Requests wait less than commands, because a visitor waits for them. */
export const lockWaits: Record<ConnectionUse, number> = {
  requests: 1_000,
  probe: 1_000,
  commands: 10_000,
  migration: 10_000,
  counters: 500,
};

/**
 * A statement that sets lock timeout and commit mode of the current transaction only. Session settings stay unchanged,
 * because a pooler in transaction mode gives the session to another client next.
 */
export function transactionSettings(use: ConnectionUse): string {
  const commit = use === 'counters' ? asynchronousCommit : durableCommit;
  return `select set_config('lock_timeout', '${lockWaits[use]}', true), set_config('synchronous_commit', ${commit}, true)`;
}

/** Runs a query with {@link transactionSettings}. Inside a transaction, the first query has already made them. */
export async function queryWithSettings(
  client: PoolClient,
  settings: string,
  sql: string,
  parameters: readonly unknown[],
): Promise<QueryResult> {
  const isIdle = client.getTransactionStatus() === 'I';
  if (!isIdle) return client.query(sql, [...parameters]);
  if (parameters.length > 0) return pipelineQuery(client, settings, sql, parameters);
  // Statements in one simple-query message form one transaction. The isolation level must come first.
  const isBegin = /^(begin|start transaction)\b/.test(sql);
  const results = await client.query(isBegin ? `${sql}; ${settings}` : `${settings}; ${sql}`);
  return lastOf(results);
}

/**
 * Pipelines the settings and a query with parameters before one Sync message of the wire protocol. PostgreSQL runs both in
 * one transaction, so the settings cost no extra round trip.
 */
function pipelineQuery(
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

/** For several statements, pg returns an array of results, which its types omit. */
function lastOf(results: QueryResult): QueryResult {
  return [results].flat().at(-1) ?? results;
}
