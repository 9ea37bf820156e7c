import { mkdirSync } from 'node:fs';
import type { DatabaseLocation } from '../database/database-access.ts';
import { connect, openDatabase, type Database } from '../database/database.ts';
import { accessDatabase } from '../database/dialects.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import { migrate } from '../database/migrate.ts';
import type { Log } from '../platform/log.ts';
import { StartupError } from '../platform/startup-error.ts';
import { createDirectStore, type LeadStore } from './lead-store.ts';
import { openSpool, type Spool } from './spool.ts';
import { SpoolingStore } from './spooling-store.ts';

export interface Stores {
  readonly leads: LeadStore;
  /** Database to read leads from: the shared one, or the one in the data directory. It may be unavailable. */
  readonly database: Database;
  readonly spool: Spool | undefined;
  close(): Promise<void>;
}

/**
 * Opens the stores of one service and locks its data directory. Throws {@link StartupError} if that fails. An
 * unavailable shared database does not prevent the start, because the spool accepts leads meanwhile.
 */
export async function openStores(
  location: DatabaseLocation,
  dataDirectory: string,
  log: Log,
): Promise<Stores> {
  await using opening = new AsyncDisposableStack();
  opening.adopt(lockDirectory(dataDirectory), (lock) => lock.release());
  const open =
    location.kind === 'sqlite' ? openAlone(location, log) : openShared(location, dataDirectory, log);
  const stores = opening.adopt(await open, (it) => it.close());
  const opened = opening.move();
  return { ...stores, close: () => opened.disposeAsync() };
}

async function openAlone(location: DatabaseLocation, log: Log): Promise<Stores> {
  const database = await openDatabase(location, log);
  const leads = createDirectStore(database, log);
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

async function openShared(location: DatabaseLocation, dataDirectory: string, log: Log): Promise<Stores> {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const spool = await openSpool(dataDirectory, log);
  const access = accessDatabase(location, log);
  let isUnavailable = false;
  try {
    await migrate(access);
  } catch (error) {
    const isPermanent = access.isRefusal(error) || access.unavailability(error) === undefined;
    if (error instanceof StartupError || isPermanent) {
      await spool.close();
      throw error instanceof StartupError ? error : new StartupError(access.explain(error), { cause: error });
    }
    log.error(`${access.explain(error)} Until it does, leads go to the spool ${spool.access.where}.`);
    isUnavailable = true;
  }
  const database = connect(access);
  const leads = new SpoolingStore(database, spool, log, isUnavailable || (await spool.depth()) > 0);
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
