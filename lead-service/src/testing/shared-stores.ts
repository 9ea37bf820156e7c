import type { LeadRow } from '../database/tables.ts';
import { openStores, type Stores } from '../lead-store/open-stores.ts';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
import { createMemoryLog } from './memory-log.ts';
import type { TestDatabase } from './test-databases.ts';

/** The stores of a service behind a proxy that simulates outages of PostgreSQL. */
export interface SharedStores extends AsyncDisposable {
  readonly proxy: DatabaseProxy;
  readonly stores: Stores;
  readonly lines: readonly string[];
  /** Closes and reopens the stores, like a restart of the service. */
  restart(): Promise<void>;
  /** Messages of the leads in PostgreSQL, in the order of receipt. */
  messages(): Promise<string[]>;
}

/** @param mode state of the proxy at the start of the service */
export async function openSharedStores(
  database: TestDatabase,
  mode: 'pass' | 'refusing' = 'pass',
): Promise<SharedStores> {
  if (database.location.kind !== 'postgres') throw new TypeError('Only PostgreSQL is shared.');
  const log = createMemoryLog();
  const proxy = await startDatabaseProxy(database.location.url);
  proxy.setMode(mode);
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
