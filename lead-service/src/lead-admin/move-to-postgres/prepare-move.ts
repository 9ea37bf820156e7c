import { sql, type Kysely } from 'kysely';
import type { DatabaseLocation } from '../../database/database-access.ts';
import { openDatabase, type Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import { noopLog } from '../../platform/log.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { insertRows, noLimit, pagesOf, readRows, readStored } from './rows.ts';

/**
 * Checks what may prevent a move, while a service may still use the SQLite file. Suppresses addresses in PostgreSQL already,
 * because a service there may get its first lead before the move begins. Migrates the file, because the service that uses it may
 * be of an older version. Throws {@link StartupError}.
 */
export async function prepareMove(
  location: DatabaseLocation,
  target: Database,
  print: (line: string) => void,
): Promise<void> {
  const { db, where, close } = await openDatabase(location, noopLog);
  try {
    print('Checking the file …');
    await expectIntact(db, where);
    await expectNew(db, where, target);
    // Also without a row, so that a read-only server is refused before the file is marked.
    const suppressed = await readRows(db, 'suppressedAddresses', undefined, noLimit);
    await target.db.transaction().execute((it) => insertRows(it, 'suppressedAddresses', suppressed));
  } finally {
    await close();
  }
}

async function expectIntact(source: Kysely<Tables>, where: string): Promise<void> {
  const check = sql<{ integrityCheck: string }>`pragma integrity_check(1)`;
  const result = (await check.execute(source)).rows[0]?.integrityCheck;
  if (result === 'ok') return;
  throw new StartupError(
    `${where} is damaged (${result}), so nothing was moved. Restore a backup, or what "sqlite3 ${where} .recover" finds, and run the command again.`,
  );
}

/** Refuses the copy of a file whose leads came to PostgreSQL another way. */
async function expectNew(source: Kysely<Tables>, where: string, target: Database): Promise<void> {
  for await (const rows of pagesOf(source, 'leads')) {
    const [known] = await readStored(target.db, 'leads', rows, ['id']);
    if (known === undefined) continue;
    throw new StartupError(
      `${target.where} has leads of ${where} already, such as ${known['id']}, but not from this move. Nothing was moved. If that file is a copy of one that was moved, move it away.`,
    );
  }
}
