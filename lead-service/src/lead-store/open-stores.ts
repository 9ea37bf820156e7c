import type { DatabaseLocation } from '../database/database-access.ts';
import { connect, openDatabase, prepare, type Database } from '../database/database.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import type { Log } from '../platform/log.ts';
import { StartupError } from '../platform/explained-error.ts';
import { createLeadStore } from './lead-store.ts';
import { hasSpool, openSpool, type Spool } from './spool.ts';

/**
 * Opens the stores of one service and locks its data directory. Throws {@link StartupError} if that fails. An
 * unavailable shared database does not prevent the start, because the spool accepts leads meanwhile. Disposal closes them.
 *
 * @param webhooks names of the webhook endpoints
 */
export async function openStores(
  location: DatabaseLocation,
  dataDirectory: string,
  webhooks: readonly string[],
  log: Log,
) {
  await using opening = new AsyncDisposableStack();
  opening.use(await lockDirectory(dataDirectory));
  const isShared = location.kind === 'postgres';
  if (!isShared && hasSpool(dataDirectory)) await expectEmptySpool(dataDirectory, log);
  const database = opening.use(await (isShared ? connect(location, log) : openDatabase(location, log)));
  const spool = isShared ? opening.use(await openSpool(dataDirectory, log)) : undefined;
  const isDown = spool !== undefined && !(await migrateIfAvailable(database, spool, log));
  const leads = createLeadStore(database, spool, webhooks, log, isDown);
  opening.defer(() => leads.stop());
  const opened = opening.move();
  return { leads, database, spool, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Refuses to use SQLite beside a spool with acknowledged leads, which move only to PostgreSQL. */
async function expectEmptySpool(dataDirectory: string, log: Log): Promise<void> {
  await using spool = await openSpool(dataDirectory, log);
  if ((await spool.depth()) === 0) return;
  throw new StartupError(
    `${spool.access.where} holds leads that wait for PostgreSQL. Set DATABASE_URL to their database, or DATA_DIR to another folder.`,
  );
}

/** Migrates the shared database, and returns whether it was available. Throws if only an operator can help. */
async function migrateIfAvailable(database: Database, spool: Spool, log: Log): Promise<boolean> {
  const { access } = database;
  try {
    await prepare(database);
    return true;
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (access.isWrongSetting(error) || access.unavailability(error) === undefined) {
      throw new StartupError(access.explain(error), { cause: error });
    }
    log.error(`${access.explain(error)} Until it does, leads go to the spool ${spool.access.where}.`);
    return false;
  }
}
