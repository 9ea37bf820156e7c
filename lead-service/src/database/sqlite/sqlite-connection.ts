import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { errorOf, type SqliteFailure } from './sqlite-failure.ts';
import { SqliteSession, type SqliteReply, type SqliteStatements } from './sqlite-session.ts';

/** A way to a {@link SqliteSession}. What is sent along it is run in order. */
export interface SqliteLine {
  /** Runs one statement, or several in one transaction. The rows are those of the first. */
  run(statements: SqliteStatements): Promise<SqliteReply>;
  close(): Promise<void>;
}

export interface SqliteThreadData {
  readonly file: string;
  readonly lockWait: number;
}
export type SqliteThreadRequest = SqliteStatements | 'close';
export type SqliteThreadAnswer =
  | SqliteReply
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly failure: SqliteFailure };

const ended: SqliteReply = {
  kind: 'failed',
  failure: { name: 'Error', message: 'The database has been closed.', code: undefined },
  inTransaction: false,
};

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
 * A thread that ends without having been closed ends the process, as any error does that nobody has thought of.
 */
export async function openInOwnThread(file: string, lockWait: number): Promise<SqliteLine> {
  const workerData: SqliteThreadData = { file, lockWait };
  const thread = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData });
  const [opened] = (await once(thread, 'message')) as [SqliteThreadAnswer];
  if (opened.kind === 'not-opened') throw errorOf(opened.failure);

  const waiting: ((reply: SqliteReply) => void)[] = [];
  let isClosing = false;
  let hasEnded = false;
  const end = Promise.withResolvers<undefined>();
  thread.on('message', (reply: SqliteReply) => waiting.shift()?.(reply));
  thread.on('exit', () => {
    hasEnded = true;
    for (const answer of waiting.splice(0)) answer(ended);
    end.resolve(undefined);
    if (!isClosing) throw new Error(`The thread that works on ${file} has ended.`);
  });
  const send = (request: SqliteThreadRequest) => thread.postMessage(request);
  return {
    run: (statements) =>
      new Promise((resolve) => {
        if (hasEnded) return resolve(ended);
        // Throws where it cannot be sent, and then nobody waits for an answer.
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
