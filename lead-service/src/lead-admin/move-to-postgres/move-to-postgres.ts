import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { DatabaseAccess } from '../../database/database-access.ts';
import { connect, type Database } from '../../database/database.ts';
import { accessDatabase } from '../../database/dialects.ts';
import { snakeCase } from '../../database/group-insert.ts';
import { findUnsuitable } from '../../database/migrate.ts';
import { openExclusively } from '../../database/sqlite/open-exclusively.ts';
import type { MoveRow, Tables } from '../../database/tables.ts';
import { noopLog } from '../../platform/log.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { uuidV7 } from '../../platform/uuid-v7.ts';
import type { AdminContext } from '../admin-context.ts';
import { recordAudit } from '../audit.ts';
import { copyBatch, mergedOf, type CopiedBatch, type Move } from './copy-tables.ts';
import { prepareMove } from './prepare-move.ts';
import { markFile, retireFile } from './retire-file.ts';
import { countRows } from './rows.ts';
import { verifyMove, type VerifiedCounts } from './verify-move.ts';

/** Milliseconds. */
const waitInterval = 100;
const reminderInterval = 30_000;
const progressInterval = 1_000;
const retryInterval = 1_000;
/** Attempts in a row without an answer of PostgreSQL, which may be in a failover. */
const maxAttempts = 60;

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
    if (!existsSync(access.where)) {
      throw new StartupError(`There is no ${access.where}. Set DATA_DIR to the folder of the old leads.`);
    }
    // Before the wait, so that the move begins as soon as the service has stopped.
    if ((await findUnsuitable(access)) === undefined) await prepareMove(location, target, print);
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
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new StartupError(
      `All leads are in ${target.where}, but ${join(directory, file)} could not be renamed (${reason}). Remove the reason, and run the command again.`,
      { cause: error },
    );
  }
}

/** Waits until no service and no command has the file open, and keeps them out from then on. */
async function untilFree(file: string, print: Print): Promise<Kysely<Tables>> {
  let remindAt = 0;
  for (;;) {
    const source = openExclusively(file);
    if (source !== undefined) return source;
    if (performance.now() >= remindAt) {
      print(
        `Waiting for the service on SQLite to stop: restart it with DATABASE_URL. Until then, it has ${file} open.`,
      );
      remindAt = performance.now() + reminderInterval;
    }
    await setTimeout(waitInterval);
  }
}

/** Marks the file, unless an earlier run has. Nothing else writes to it from then on. */
async function beginMove(
  source: Kysely<Tables>,
  target: Database,
  { where }: DatabaseAccess,
): Promise<MoveRow> {
  const marked = await source.selectFrom('moves').selectAll().executeTakeFirst();
  if (marked === undefined) {
    const now = new Date();
    const mark: MoveRow = {
      ...{ id: uuidV7(now.getTime()), target: target.where, beganAt: now.toISOString() },
      ...{ step: 'start', lastKey: null, merged: '[]', finishedAt: null },
    };
    await markFile(source, mark);
    return mark;
  }
  if (marked.finishedAt !== null) {
    throw new StartupError(
      `Nothing is left to move: the leads of ${where} were moved to ${marked.target} at ${marked.finishedAt}.`,
    );
  }
  const progress = target.db.selectFrom('moves').select('id').where('id', '=', marked.id);
  // The address of the same database may have changed since.
  if (marked.target !== target.where && (await progress.executeTakeFirst()) === undefined) {
    throw new StartupError(
      `The move of ${where} to ${marked.target} has begun, and ${target.where} has no progress of it. Set DATABASE_URL to the former.`,
    );
  }
  return marked;
}

async function copyAndVerify(
  move: Move,
  access: DatabaseAccess,
  print: Print,
): Promise<Pick<MoveResult, 'moved' | 'merged'>> {
  const { source, target } = move;
  const report = createProgress(source, print);
  for (;;) {
    const copied = await retryWhileUnavailable(() => copyBatch(move), target, access, print);
    if (copied === undefined) break;
    await report(copied);
  }
  print('Comparing …');
  return await retryWhileUnavailable(() => verifyAndFinish(move), target, access, print);
}

async function verifyAndFinish(move: Move): Promise<Pick<MoveResult, 'moved' | 'merged'>> {
  const { target, mark, actor } = move;
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

/** Returns a function that prints every second how many rows of a table are left. */
function createProgress(source: Kysely<Tables>, print: Print) {
  let last = performance.now();
  return async ({ table, lastKey }: CopiedBatch) => {
    if (lastKey === undefined || performance.now() - last < progressInterval) return;
    last = performance.now();
    print(`${snakeCase(table)}: ${await countRows(source, table, lastKey)} left …`);
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
      const isOther = error instanceof StartupError || source.unavailability(error) !== undefined;
      const reason = isOther ? undefined : target.access.unavailability(error);
      if (reason === undefined || attempt === maxAttempts) throw error;
      print(`${target.where} does not answer now (${reason}). Trying again …`);
      await setTimeout(retryInterval);
    }
  }
}
