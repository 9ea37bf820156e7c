import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { DatabaseAccess } from '../../database/database-access.ts';
import { connect, openForCommand, type Database } from '../../database/database.ts';
import { accessDatabase } from '../../database/dialects.ts';
import { snakeCase } from '../../database/group-insert.ts';
import { findUnsuitable } from '../../database/migrate.ts';
import { openExclusively } from '../../database/sqlite/open-exclusively.ts';
import type { MoveRow, Tables } from '../../database/tables.ts';
import { describeError, noopLog } from '../../platform/log.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { uuidV7 } from '../../platform/uuid-v7.ts';
import type { AdminContext } from '../admin-context.ts';
import { recordAudit } from '../audit.ts';
import { copyBatch, mergedOf, type Move } from './copy-tables.ts';
import { markFile, retireFile } from './retire-file.ts';
import { countRows, keyOf, readRows, readStored } from './rows.ts';
import { tableMoves, type TableName } from './table-moves.ts';
import { verifyMove, type VerifiedCounts } from './verify-move.ts';

/** Milliseconds. */
const waitInterval = 200;
const reminderInterval = 30_000;
const progressInterval = 1_000;
const retryInterval = 1_000;
/** Attempts in a row without an answer of PostgreSQL, which may be in a failover. */
const maxAttempts = 60;

const idBatchSize = 5_000;

interface MoveResult {
  /** Location of the PostgreSQL database, without user and password. */
  readonly target: string;
  /** Rows by table. */
  readonly moved: VerifiedCounts;
  /** Leads that were not copied, because their forms were sent again and PostgreSQL has them. */
  readonly merged: number;
  /** New path of the SQLite file. */
  readonly backup: string;
}

/** Prints a line of progress. */
type Print = (line: string) => void;

/**
 * Moves all leads from SQLite to the PostgreSQL database of the context, once no other process has the SQLite file open. A
 * service may use PostgreSQL meanwhile. After a failure or a kill at any point, the next call goes on. Throws
 * {@link StartupError}.
 */
export async function moveToPostgres(context: AdminContext, print: Print): Promise<MoveResult> {
  const location = { kind: 'sqlite', directory: context.dataDirectory, file: 'leads.sqlite' } as const;
  const access = accessDatabase(location, noopLog);
  const target = connect(context.database.access, 'commands');
  try {
    await expectWritable(target);
    if (!existsSync(access.where)) {
      throw new StartupError(`There is no ${access.where}. Set DATA_DIR to the folder of the old leads.`);
    }
    if ((await findUnsuitable(access)) === undefined) await (await openForCommand(location, noopLog)).close();
    const source = await untilFree(access.where, print);
    try {
      const move: Move = {
        source,
        target,
        mark: await beginMove(source, target, access),
        actor: context.actor,
      };
      const { moved, merged } = await copyAndVerify(move, access, print);
      const backup = await retire(move, location);
      return { target: target.where, moved, merged, backup };
    } finally {
      await source.destroy();
    }
  } catch (error) {
    const reason = access.unavailability(error);
    throw reason === undefined ? error : new StartupError(access.explain(error), { cause: error });
  } finally {
    await target.close();
  }
}

async function retire(
  { source, target, mark }: Move,
  { directory, file }: { readonly directory: string; readonly file: string },
): Promise<string> {
  try {
    return await retireFile(source, directory, file, mark);
  } catch (error) {
    throw new StartupError(
      `All leads are in ${target.where}, but ${join(directory, file)} could not be renamed (${describeError(error)}). Remove the reason, and run the command again.`,
      { cause: error },
    );
  }
}

/** Refuses a user without rights and a read-only server before SQLite is touched. */
async function expectWritable({ db, access }: Database): Promise<void> {
  try {
    for (const table of Object.keys(tableMoves)) {
      const name = sql.table(snakeCase(table));
      await sql`insert into ${name} select * from ${name} where false`.execute(db);
    }
  } catch (error) {
    throw new StartupError(access.explain(error), { cause: error });
  }
}

/** Waits until no service and no command has the file open, and keeps them out from then on. */
async function untilFree(file: string, print: Print): Promise<Kysely<Tables>> {
  let remindAt = 0;
  for (;;) {
    const source = openExclusively(file);
    if (source !== undefined) return source;
    if (performance.now() >= remindAt) {
      print(`Waiting for the service on SQLite to stop. Restart it with DATABASE_URL … (${file} is open)`);
      remindAt = performance.now() + reminderInterval;
    }
    await setTimeout(waitInterval);
  }
}

/** Marks the file, unless an earlier run has. Nothing writes to it from then on. */
async function beginMove(source: Kysely<Tables>, target: Database, access: DatabaseAccess): Promise<MoveRow> {
  const marked = await source.selectFrom('moves').selectAll().executeTakeFirst();
  if (marked?.finishedAt) {
    throw new StartupError(
      `Nothing is left to move: the leads of ${access.where} were moved to ${marked.target} at ${marked.finishedAt}.`,
    );
  }
  const progress =
    marked &&
    (await target.db.selectFrom('moves').selectAll().where('id', '=', marked.id).executeTakeFirst());
  if (marked !== undefined && progress !== undefined) return marked;
  if (marked !== undefined && marked.target !== target.where) {
    throw new StartupError(
      `The move of ${access.where} to ${marked.target} has begun, and ${target.where} knows nothing of it. Set DATABASE_URL to the former.`,
    );
  }
  await expectIntact(source, access);
  await expectNew(source, target, access);
  if (marked !== undefined) return marked;
  const now = new Date();
  const mark: MoveRow = {
    ...{ id: uuidV7(now.getTime()), target: target.where, beganAt: now.toISOString() },
    ...{ step: 'start', lastKey: null, merged: '[]', finishedAt: null },
  };
  await markFile(source, mark);
  return mark;
}

async function expectIntact(source: Kysely<Tables>, { where }: DatabaseAccess): Promise<void> {
  const check = sql<{ integrityCheck: string }>`pragma integrity_check(1)`;
  const result = (await check.execute(source)).rows[0]?.integrityCheck;
  if (result === 'ok') return;
  throw new StartupError(
    `${where} is damaged (${result}), so nothing was moved. Restore a backup, or what "sqlite3 ${where} .recover" finds, and run the command again.`,
  );
}

/** Refuses the copy of a file whose leads came to PostgreSQL another way. */
async function expectNew(
  source: Kysely<Tables>,
  { db, where }: Database,
  access: DatabaseAccess,
): Promise<void> {
  let after: readonly unknown[] | undefined;
  for (;;) {
    const rows = await readRows(source, 'leads', after, idBatchSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = keyOf('leads', last);
    const [known] = await readStored(db, 'leads', rows, ['id']);
    if (known === undefined) continue;
    throw new StartupError(
      `${where} has leads of ${access.where} already, such as ${known['id']}, but not from this move. Nothing was moved. If that file is a copy of one that was moved, move it away.`,
    );
  }
}

async function copyAndVerify(
  move: Move,
  access: DatabaseAccess,
  print: Print,
): Promise<{ readonly moved: VerifiedCounts; readonly merged: number }> {
  const { source, target, mark, actor } = move;
  const report = createProgress(source, print);
  for (;;) {
    const copied = await retryWhileUnavailable(() => copyBatch(move), target, access, print);
    if (copied === undefined) break;
    await report(copied.table, copied.rows, copied.after);
  }
  print('Comparing …');
  const progress = await target.db
    .selectFrom('moves')
    .selectAll()
    .where('id', '=', mark.id)
    .executeTakeFirstOrThrow();
  const merged = mergedOf(progress);
  const moved = await verifyMove(move, merged);
  if (progress.finishedAt === null) {
    await target.db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('moves')
        .set({ finishedAt: new Date().toISOString() })
        .where('id', '=', mark.id)
        .execute();
      const details = { count: moved.leads, merged: merged.length };
      await recordAudit(transaction, actor, [{ action: 'lead.move', details }]);
    });
  }
  return { moved, merged: merged.length };
}

/** Returns a function that prints the progress of a table every second. */
function createProgress(source: Kysely<Tables>, print: Print) {
  let current: TableName | undefined;
  let copied = 0;
  let total = 0;
  let last = performance.now();
  return async (table: TableName, rows: number, after: readonly unknown[] | undefined) => {
    if (table !== current) {
      current = table;
      copied = 0;
      total = await countRows(source, table, after);
    }
    copied += rows;
    if (performance.now() - last < progressInterval) return;
    last = performance.now();
    print(`${snakeCase(table)}: ${copied} of ${total} …`);
  };
}

async function retryWhileUnavailable<Result>(
  action: () => Promise<Result>,
  target: Database,
  source: DatabaseAccess,
  print: Print,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      const isOfSource = source.unavailability(error) !== undefined;
      const reason = isOfSource ? undefined : target.access.unavailability(error);
      if (reason === undefined || attempt === maxAttempts) throw error;
      print(`${target.where} does not answer now (${reason}). Trying again …`);
      await setTimeout(retryInterval);
    }
  }
}
