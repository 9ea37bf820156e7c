import { DeleteQueryNode, InsertQueryNode, SelectQueryNode, TableNode } from 'kysely';
import type { Kysely, KyselyPlugin, QueryId, RootOperationNode } from 'kysely';

/** A database whose client pauses after a chosen query, also within a transaction, until `goOn()`. */
export interface PausedQueries<Tables> {
  readonly db: Kysely<Tables>;
  /** Resolves when the query is done and its client is paused. */
  readonly reached: Promise<undefined>;
  goOn(): void;
}

/** @param query the kind and table of the query, such as `insert into leads`; the first match pauses */
export function pauseAfter<Tables>(
  db: Kysely<Tables>,
  query: `${'insert into' | 'delete from' | 'select from'} ${keyof Tables & string}`,
): PausedQueries<Tables> {
  const reached = Promise.withResolvers<undefined>();
  const wait = Promise.withResolvers<undefined>();
  const found = new WeakSet<QueryId>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (describe(node) === query) found.add(queryId);
      return node;
    },
    async transformResult({ queryId, result }) {
      if (found.has(queryId)) {
        reached.resolve(undefined);
        await wait.promise;
      }
      return result;
    },
  };
  return { db: db.withPlugin(plugin), reached: reached.promise, goOn: () => wait.resolve(undefined) };
}

function describe(node: RootOperationNode): string | undefined {
  if (InsertQueryNode.is(node)) return `insert into ${node.into?.table.identifier.name}`;
  if (!DeleteQueryNode.is(node) && !SelectQueryNode.is(node)) return undefined;
  const verb = SelectQueryNode.is(node) ? 'select' : 'delete';
  const [table] = node.from?.froms ?? [];
  return table && TableNode.is(table) ? `${verb} from ${table.table.identifier.name}` : undefined;
}
