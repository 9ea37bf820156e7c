import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AdminContextConfig, readAdminContextConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { AdminContext } from '../admin/admin-context.ts';
import { noopLog } from '../platform/log.ts';
import { StartupError } from '../platform/startup-error.ts';
import { isClosedPipe } from './output.ts';

/** Runs an action on the database that the environment names, beside a service that may be running. `mayCreate` permits a new file. */
export async function withAdminContext<Result>(
  action: (context: AdminContext, config: AdminContextConfig) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  const config = readAdminContextConfig();
  if (!mayCreate) expectLeads(config);
  const database = await openDatabase(config.database, noopLog, 'commands');
  try {
    return await action({ database, dataDirectory: config.dataDirectory }, config);
  } catch (error) {
    // The command line reports these errors as they are.
    const isReported = error instanceof Refusal || error instanceof StartupError || isClosedPipe(error);
    const reason = isReported ? undefined : database.access.unavailability(error);
    if (reason === undefined) throw error;
    const message = `The database ${database.where} does not answer now (${reason}). Try again in a minute.`;
    throw new StartupError(message, { cause: error });
  } finally {
    await database.close();
  }
}

/** Refuses a folder without a database, because a new and empty one would look like a loss of all leads. */
function expectLeads({ database }: AdminContextConfig): void {
  if (database.kind !== 'sqlite' || existsSync(join(database.directory, database.file))) return;
  throw new StartupError(
    `There are no leads in ${database.directory} yet. Start the service, or set DATA_DIR to its folder or DATABASE_URL to its database.`,
  );
}
