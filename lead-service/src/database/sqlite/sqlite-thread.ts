import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { failureOf } from './sqlite-failure.ts';
import type { SqliteThreadAnswer, SqliteThreadData, SqliteThreadRequest } from './sqlite-connection.ts';
import { SqliteSession } from './sqlite-session.ts';

/** Main function of the worker thread: opens a database file and runs the received statements in order. */
function serve(port: MessagePort, { file, lockWait }: SqliteThreadData): void {
  const reply = (answer: SqliteThreadAnswer) => port.postMessage(answer);
  let session: SqliteSession;
  try {
    session = new SqliteSession(file, lockWait);
  } catch (error) {
    reply({ kind: 'not-opened', failure: failureOf(error) });
    port.close();
    return;
  }
  reply({ kind: 'opened' });
  port.on('message', (request: SqliteThreadRequest) => {
    if (request !== 'close') return reply(session.run(request));
    session.close();
    port.close();
  });
}

if (parentPort === null) throw new Error('This file must run as the main file of a worker thread.');
serve(parentPort, workerData as SqliteThreadData);
