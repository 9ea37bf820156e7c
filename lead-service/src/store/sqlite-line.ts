import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import {
  SqliteSession,
  type SqliteFailure,
  type SqliteReply,
  type SqliteStatement,
} from './sqlite-session.ts';

/** A way to a {@link SqliteSession}. What is sent along it is run in order. */
export interface SqliteLine {
  /** Runs one statement, or several in one transaction. The rows are those of the first. */
  run(statements: SqliteStatements): Promise<SqliteReply>;
  close(): Promise<void>;
}

export type SqliteStatements = readonly [SqliteStatement, ...SqliteStatement[]];

export interface SqliteThreadData {
  readonly file: string;
  readonly lockWait: number;
}
export type SqliteThreadRequest = SqliteStatements | 'close';
export type SqliteThreadAnswer =
  | SqliteReply
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly failure: SqliteFailure };

/** In this thread, which it holds up: for commands, which have nothing else to do. */
export async function openInThisThread(file: string, lockWait: number): Promise<SqliteLine> {
  const session = new SqliteSession(file, lockWait);
  return {
    run: async (statements) => session.run(statements),
    close: async () => session.close(),
  };
}

/**
 * In a thread of its own: while it waits for the disk, or searches through everything, this one takes the next requests.
 * Should the thread ever end by itself, the process ends with it, as from any other error that nobody has thought of.
 */
export async function openInOwnThread(file: string, lockWait: number): Promise<SqliteLine> {
  const workerData: SqliteThreadData = { file, lockWait };
  const thread = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData });
  const [opened] = (await once(thread, 'message')) as [SqliteThreadAnswer];
  if (opened.kind === 'not-opened') throw errorOf(opened.failure);

  const waiting: ((reply: SqliteReply) => void)[] = [];
  thread.on('message', (reply: SqliteReply) => waiting.shift()?.(reply));
  const send = (request: SqliteThreadRequest) => thread.postMessage(request);
  return {
    run: (statements) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        send(statements);
      }),
    async close() {
      const ended = once(thread, 'exit');
      send('close');
      await ended;
    },
  };
}

/** The error that it was on the other side. */
export function errorOf({ code, message }: SqliteFailure): Error {
  return code.startsWith('SQLITE_')
    ? new Database.SqliteError(message, code)
    : Object.assign(new Error(message), code === '' ? {} : { code });
}
