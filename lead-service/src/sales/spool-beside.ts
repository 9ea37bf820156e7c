import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Database } from '../store/database.ts';
import { accessDatabase } from '../store/dialects.ts';
import { silentLog } from './silent-log.ts';

/** The spool of the service that works in a data directory, through a connection beside the service's own. */
export function openSpoolBeside(dataDirectory: string): Database | undefined {
  const file = 'spool.sqlite';
  if (!existsSync(join(dataDirectory, file))) return undefined;
  return connect(accessDatabase({ kind: 'sqlite', directory: dataDirectory, file }, silentLog), 'commands');
}
