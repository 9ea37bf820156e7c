import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDeskConfig, type DeskConfig } from '../config.ts';
import { AnswerableError } from '../errors.ts';
import type { Desk } from '../sales/desk.ts';
import { silentLog } from '../sales/silent-log.ts';
import { StartFailure } from '../start-failure.ts';
import { openDatabase, openForCommand } from '../store/database.ts';
import { commandLineActor } from './actor.ts';
import { isLostReader } from './output.ts';

/** Does something with the leads that the environment names, beside a service that may be running. */
export async function withDesk<Result>(
  action: (desk: Desk, config: DeskConfig) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  const result = readDeskConfig();
  if (!result.valid) throw new StartFailure(result.faults.join('\n'));
  const { config } = result;
  if (!mayCreate) expectLeads(config);
  const database = await (mayCreate ? openDatabase : openForCommand)(config.database, silentLog);
  try {
    return await action({ database, dataDirectory: config.dataDirectory, actor: commandLineActor() }, config);
  } catch (error) {
    const isOurs = error instanceof AnswerableError || error instanceof StartFailure || isLostReader(error);
    const reason = isOurs ? undefined : database.access.unavailability(error);
    if (reason === undefined) throw error;
    const isPassing = `The database ${database.where} does not answer now (${reason}). Try again in a minute.`;
    throw new StartFailure(database.access.fault() ?? isPassing, { cause: error });
  } finally {
    await database.close();
  }
}

/** In the wrong folder, a new and empty database would look as if all leads were gone. */
function expectLeads({ database }: DeskConfig): void {
  if (database.kind !== 'sqlite' || existsSync(join(database.directory, database.file))) return;
  throw new StartFailure(
    `There are no leads in ${database.directory} yet. Start the service, or set DATA_DIR to its folder or DATABASE_URL to its database.`,
  );
}
