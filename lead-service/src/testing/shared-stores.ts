import { openStores, type Stores } from '../lead-store/open-stores.ts';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
import { createMemoryLog } from './memory-log.ts';
import { postgres, urlOf, type TestDatabase } from './test-databases.ts';
import { until } from './until.ts';

/** The stores of a service behind a proxy that simulates outages of PostgreSQL. */
export interface SharedStores extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly proxy: DatabaseProxy;
  readonly stores: Stores;
  /** Closes and reopens the stores, like a restart of the service. */
  restart(): Promise<void>;
  /** Resolves once every spooled lead has been moved. */
  emptied(): Promise<unknown>;
  /** Messages of the leads in PostgreSQL, in the order of receipt. */
  messages(): Promise<string[]>;
}

/**
 * @param mode state of the proxy at the start of the service
 * @param given a database; by default a new one that the disposal drops
 */
export async function openSharedStores(
  mode: 'pass' | 'refusing' = 'pass',
  given?: TestDatabase,
): Promise<SharedStores> {
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
    async restart() {
      await stores[Symbol.asyncDispose]();
      stores = await open();
    },
    emptied: () => until(async () => (await stores.spool?.depth()) === 0),
    messages: async () => (await database.leads()).map(({ message }) => message),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
