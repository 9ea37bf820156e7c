import { sql, type Kysely } from 'kysely';
import type { DatabaseLocation } from '../../database/database-access.ts';
import { openForCommand, type Database } from '../../database/database.ts';
import { snakeCase } from '../../database/group-insert.ts';
import type { Tables } from '../../database/tables.ts';
import { noopLog } from '../../platform/log.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { insertRows, keyOf, noLimit, readRows, readStored } from './rows.ts';
import { tableMoves } from './table-moves.ts';

const batchSize = 5_000;

/** Refuses a user without rights and a read-only server before SQLite is touched. */
export async function expectWritable({ db, access }: Database): Promise<void> {
  try {
    for (const table of Object.keys(tableMoves)) {
      const name = sql.table(snakeCase(table));
      await sql`insert into ${name} select * from ${name} where false`.execute(db);
    }
  } catch (error) {
    throw new StartupError(access.explain(error), { cause: error });
  }
}

/**
 * Checks what may prevent a move, while a service may still use the SQLite file. Suppresses addresses in PostgreSQL already,
 * because a service there may get its first lead before the move begins. Throws {@link StartupError}.
 */
export async function prepareMove(
  location: DatabaseLocation,
  target: Database,
  print: (line: string) => void,
): Promise<void> {
  const { db, where, close } = await openForCommand(location, noopLog);
  try {
    print('Checking the file …');
    await expectIntact(db, where);
    await expectNew(db, where, target);
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
  let after: readonly unknown[] | undefined;
  for (;;) {
    const rows = await readRows(source, 'leads', after, batchSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = keyOf('leads', last);
    const [known] = await readStored(target.db, 'leads', rows, ['id']);
    if (known === undefined) continue;
    throw new StartupError(
      `${target.where} has leads of ${where} already, such as ${known['id']}, but not from this move. Nothing was moved. If that file is a copy of one that was moved, move it away.`,
    );
  }
}
