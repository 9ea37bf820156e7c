import { openStores } from '../lead-store/open-stores.ts';
import { startDatabaseProxy } from './database-proxy.ts';
import { createMemoryLog } from './memory-log.ts';
import { postgres, urlOf, type TestDatabase } from './test-databases.ts';
import { until } from './until.ts';

export type SharedStores = Awaited<ReturnType<typeof openSharedStores>>;

/**
 * Opens the stores of a service behind a proxy that simulates outages of PostgreSQL.
 *
 * @param mode state of the proxy at the start of the service
 * @param given a database; by default a new one that the disposal drops
 */
export async function openSharedStores(mode: 'pass' | 'refusing' = 'pass', given?: TestDatabase) {
  await using opening = new AsyncDisposableStack();
  const database = given ?? opening.use(await postgres.create());
  const log = createMemoryLog();
  const proxy = opening.use(await startDatabaseProxy(urlOf(database)));
  proxy.setMode(mode);
  const open = () => openStores({ kind: 'postgres', url: proxy.url }, database.dataDirectory, [], log);
  let stores = await open();
  opening.defer(() => stores[Symbol.asyncDispose]());
  const opened = opening.move();
  return {
    ...{ database, proxy },
    get stores() {
      return stores;
    },
    /** Closes and reopens the stores, like a restart of the service. */
    async restart() {
      await stores[Symbol.asyncDispose]();
      stores = await open();
    },
    /** Resolves once every spooled lead has been moved. */
    emptied: () => until(async () => (await stores.spool?.depth()) === 0),
    /** Messages of the leads in PostgreSQL, in the order of receipt. */
    messages: async () => (await database.leads()).map(({ message }) => message),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
