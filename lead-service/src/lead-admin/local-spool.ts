import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Database } from '../database/database.ts';
import { noopLog } from '../platform/log.ts';
import { spoolFile } from '../lead-store/spool.ts';

/**
 * Opens the spool in a data directory for an action, through a second connection next to that of the service. Resolves
 * with `none` if there is no spool.
 */
export async function withLocalSpool<Result>(
  dataDirectory: string,
  none: Result,
  action: (spool: Database) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(dataDirectory, spoolFile))) return none;
  const location = { kind: 'sqlite', directory: dataDirectory, file: spoolFile } as const;
  const spool = connect(location, noopLog, 'commands');
  try {
    return await action(spool);
  } finally {
    await spool.close();
  }
}
