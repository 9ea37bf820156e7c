import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { errorOf, type SqliteFailure } from './sqlite-failure.ts';
import { SqliteSession, type SqliteReply, type SqliteStatements } from './sqlite-session.ts';

/** A client of a {@link SqliteSession}, which runs its statements in order. */
export interface SqliteConnection {
  /** Runs one statement, or several in one transaction. Returns the rows of the first. */
  run(statements: SqliteStatements): Promise<SqliteReply>;
  close(): Promise<void>;
}

/*
 * Protocol of the worker thread: it sends `opened` or `not-opened` at the start, and then one reply for each request, in the
 * order of the requests.
 */
export interface SqliteThreadData {
  readonly file: string;
  readonly lockWait: number;
}
export type SqliteThreadRequest = SqliteStatements | 'close';
export type SqliteThreadAnswer =
  | SqliteReply
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly failure: SqliteFailure };

/** The reply to statements that the thread did not run before its end. */
const closedReply: SqliteReply = {
  kind: 'failed',
  failure: { name: 'Error', message: 'The database is closed.', code: undefined },
  inTransaction: false,
};

/** Runs in this thread and blocks it. For commands, which have nothing else to do. */
export async function openInThisThread(file: string, lockWait: number): Promise<SqliteConnection> {
  const session = new SqliteSession(file, lockWait);
  return {
    run: async (statements) => session.run(statements),
    close: async () => session.close(),
  };
}

/**
 * Runs in a worker thread, so that this thread serves requests during disk writes and long queries. An unexpected end
 * of the worker ends the process, as any unhandled error does.
 */
export async function openInOwnThread(file: string, lockWait: number): Promise<SqliteConnection> {
  const workerData: SqliteThreadData = { file, lockWait };
  const thread = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData });
  const [opened] = (await once(thread, 'message')) as [SqliteThreadAnswer];
  if (opened.kind === 'not-opened') throw errorOf(opened.failure);

  /** Of the requests without a reply so far, the oldest first. */
  const waiting: ((reply: SqliteReply) => void)[] = [];
  let isClosing = false;
  let hasEnded = false;
  const end = Promise.withResolvers<undefined>();
  thread.on('message', (reply: SqliteReply) => waiting.shift()?.(reply));
  thread.on('exit', () => {
    hasEnded = true;
    for (const resolve of waiting.splice(0)) resolve(closedReply);
    end.resolve(undefined);
    if (!isClosing) throw new Error(`Unexpected error: the SQLite thread for ${file} has ended.`);
  });
  const send = (request: SqliteThreadRequest) => thread.postMessage(request);
  return {
    run: (statements) =>
      new Promise((resolve) => {
        if (hasEnded) return resolve(closedReply);
        // May throw if a value cannot be cloned. Then no reply is awaited.
        send(statements);
        waiting.push(resolve);
      }),
    async close() {
      if (!isClosing) send('close');
      isClosing = true;
      await end.promise;
    },
  };
}
