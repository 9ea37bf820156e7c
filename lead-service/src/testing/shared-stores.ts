import { openStores, type Stores } from '../store/open-stores.ts';
import type { LeadRow } from '../store/tables.ts';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
import { createMemoryLog } from './memory-log.ts';
import type { TestDatabase } from './test-databases.ts';

/** The stores of a service whose PostgreSQL can be taken away. */
export interface SharedStores extends AsyncDisposable {
  readonly proxy: DatabaseProxy;
  readonly stores: Stores;
  readonly lines: readonly string[];
  /** Closes the stores and opens them again, as a service does that is started again. */
  restart(): Promise<void>;
  /** Messages of the leads in PostgreSQL, in the order of receipt. */
  messages(): Promise<string[]>;
}

/** @param mode how PostgreSQL is when the service starts */
export async function openSharedStores(
  database: TestDatabase,
  mode: 'through' | 'refusing' = 'through',
): Promise<SharedStores> {
  if (database.location.kind !== 'postgres') throw new TypeError('Only PostgreSQL is shared.');
  const log = createMemoryLog();
  const proxy = await startDatabaseProxy(database.location.url);
  proxy.become(mode);
  const open = () => openStores({ kind: 'postgres', url: proxy.url }, database.dataDirectory, log);
  let stores = await open();
  return {
    proxy,
    lines: log.lines,
    get stores() {
      return stores;
    },
    async restart() {
      await stores.close();
      stores = await open();
    },
    async messages() {
      const leads: Pick<LeadRow, 'message'>[] = await database.leads();
      return leads.map(({ message }) => message);
    },
    async [Symbol.asyncDispose]() {
      await stores.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}
