import type { Kysely, KyselyPlugin, QueryId, RootOperationNode } from 'kysely';

/** A database whose client stands still after one of its queries, inside a transaction too, until it is told to go on. */
export interface PausedQueries<Tables> {
  readonly db: Kysely<Tables>;
  /** Resolves once the query is done, and its client stands still. */
  readonly reached: Promise<undefined>;
  goOn(): void;
}

/** @param table the first insert into it is the query */
export function pauseAfterInsertInto<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
): PausedQueries<Tables> {
  const reached = Promise.withResolvers<undefined>();
  const wait = Promise.withResolvers<undefined>();
  const inserts = new WeakSet<QueryId>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (insertsInto(node) === table) inserts.add(queryId);
      return node;
    },
    async transformResult({ queryId, result }) {
      if (inserts.has(queryId)) {
        reached.resolve(undefined);
        await wait.promise;
      }
      return result;
    },
  };
  return { db: db.withPlugin(plugin), reached: reached.promise, goOn: () => wait.resolve(undefined) };
}

function insertsInto(node: RootOperationNode): string | undefined {
  return node.kind === 'InsertQueryNode' ? node.into?.table.identifier.name : undefined;
}
