import { mkdirSync } from 'node:fs';
import type { Log } from '../log.ts';
import { StartFailure } from '../start-failure.ts';
import type { DatabaseLocation } from './database-access.ts';
import { connect, openDatabase, type Database } from './database.ts';
import { accessDatabase } from './dialects.ts';
import { lockDirectory } from './directory-lock.ts';
import { createDirectStore } from './direct-store.ts';
import type { CommitObserver, LeadStore } from './lead-store.ts';
import { SpoolingStore } from './spooling-store.ts';
import { migrate } from './migrate.ts';
import { openSpool, type Spool } from './spool.ts';

/** Everything that one running service keeps its data in. */
export interface Stores {
  /** Where accepted leads go. */
  readonly leads: LeadStore;
  /** Where they can be read: the shared database, or the one in the data directory. It may be away. */
  readonly database: Database;
  /** Leads of this machine that wait for the shared database. */
  readonly spool: Spool | undefined;
  /** Finishes what has been added, and closes everything. */
  close(): Promise<void>;
}

/**
 * Opens the stores of one service and locks its data directory. Throws {@link StartFailure} when that is impossible. A
 * shared database that does not answer is no reason not to start: leads are spooled until it does.
 */
export async function openStores(
  location: DatabaseLocation,
  dataDirectory: string,
  log: Log,
  observe?: CommitObserver,
): Promise<Stores> {
  const lock = lockDirectory(dataDirectory);
  try {
    const stores =
      location.kind === 'sqlite'
        ? await openAlone(location, log, observe)
        : await openShared(location, dataDirectory, log, observe);
    return {
      ...stores,
      async close() {
        await stores.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openAlone(location: DatabaseLocation, log: Log, observe?: CommitObserver): Promise<Stores> {
  const database = await openDatabase(location, log);
  const leads = createDirectStore(database, log, observe);
  return {
    leads,
    database,
    spool: undefined,
    async close() {
      await leads.stop();
      await database.close();
    },
  };
}

async function openShared(
  location: DatabaseLocation,
  dataDirectory: string,
  log: Log,
  observe?: CommitObserver,
): Promise<Stores> {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const spool = await openSpool(dataDirectory, log);
  const access = accessDatabase(location, log);
  let away = false;
  try {
    await migrate(access);
  } catch (error) {
    const isHopeless = access.isRefusal(error) || access.unavailability(error) === undefined;
    if (error instanceof StartFailure || isHopeless) {
      await spool.close();
      throw error instanceof StartFailure ? error : new StartFailure(access.explain(error), { cause: error });
    }
    log.error(`${access.explain(error)} Leads are kept in ${spool.access.where} until it does.`);
    away = true;
  }
  const database = connect(access);
  const leads = new SpoolingStore(database, spool, log, away || (await spool.depth()) > 0, observe);
  return {
    leads,
    database,
    spool,
    async close() {
      await leads.stop();
      await spool.close();
      await database.close();
    },
  };
}
