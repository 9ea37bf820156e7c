import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLocation } from '../database/database-access.ts';
import { databaseLocation } from '../database/database-settings.ts';
import { connect, openDatabase } from '../database/database.ts';
import { hasSpool, spoolIn } from '../lead-store/spool.ts';
import type { AdminContext } from '../admin/admin-context.ts';
import { noopLog } from '../platform/log.ts';
import { StartupError } from '../platform/explained-error.ts';
import { type CommandConfig, readCommandConfig } from './config.ts';

/** Runs an action on the database that the environment names, beside a service that may be running. `mayCreate` permits a new file. */
export async function withAdminContext<Result>(
  action: (context: AdminContext, config: CommandConfig) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  const config = readCommandConfig();
  const location = databaseLocation(config);
  if (!mayCreate) expectLeads(location);
  const dataDirectory = config.DATA_DIR;
  await using database = await openDatabase(location, noopLog, 'commands');
  await using spool = hasSpool(dataDirectory)
    ? connect(spoolIn(dataDirectory), noopLog, 'commands')
    : undefined;
  try {
    return await action({ database, spool, dataDirectory }, config);
  } catch (error) {
    for (const { access } of [database, ...(spool === undefined ? [] : [spool])]) {
      const reason = access.unavailability(error);
      if (reason === undefined) continue;
      throw new StartupError(
        `The database ${access.where} does not answer now (${reason}). Try again in a minute. If the reason is the disk or the file, repair that first.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** Refuses a folder without a database, because a new and empty one would look like a loss of all leads. */
function expectLeads(location: DatabaseLocation): void {
  if (location.kind !== 'sqlite' || existsSync(join(location.directory, location.file))) return;
  throw new StartupError(
    `There are no leads in ${location.directory} yet. Start the service, or set DATA_DIR to its folder or DATABASE_URL to its database.`,
  );
}
