import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { connect } from '../../database/database.ts';
import { accessDatabase } from '../../database/dialects.ts';
import { migrate } from '../../database/migrate.ts';
import type { MoveRow, Tables } from '../../database/tables.ts';
import { noopLog } from '../../platform/log.ts';

/**
 * Marks an SQLite database as moved. Services and commands refuse it from then on, and so do older versions, because the
 * migration of the mark counts as one that they cannot read.
 */
export async function markFile(db: Kysely<Tables>, mark: MoveRow): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('moves').values(mark).execute();
    await sql`delete from migration_readers where name = '008-note-moves'`.execute(transaction);
  });
}

/**
 * Replaces the file of a finished move with an empty one that has only the mark, so that no service begins a new file there.
 * There is a marked file under the name at every moment. Returns the new path of the old file.
 *
 * @param source has the file open exclusively
 */
export async function retireFile(
  source: Kysely<Tables>,
  directory: string,
  name: string,
  mark: MoveRow,
): Promise<string> {
  const file = join(directory, name);
  const backup = join(directory, `leads.moved-${mark.beganAt.slice(0, 19).replaceAll(':', '-')}.sqlite`);
  // Empties and removes the write-ahead log.
  await sql`pragma journal_mode = delete`.execute(source);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });

  const successor = `${name}.part`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, successor + suffix), { force: true });
  const access = accessDatabase({ kind: 'sqlite', directory, file: successor }, noopLog);
  await migrate(access);
  const { db, close } = connect(access, 'commands');
  try {
    await markFile(db, { ...mark, finishedAt: new Date().toISOString() });
    // The rename leaves the write-ahead log behind. Unlike closing, this fails if the disk is too full to empty it.
    await access.scrub(db);
  } finally {
    await close();
  }
  // It exists if an earlier run was killed here.
  if (!existsSync(backup)) linkSync(file, backup);
  renameSync(join(directory, successor), file);
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
  return backup;
}
