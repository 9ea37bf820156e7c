import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { failureOf } from './sqlite-failure.ts';
import type { SqliteThreadAnswer, SqliteThreadData, SqliteThreadRequest } from './sqlite-line.ts';
import { SqliteSession } from './sqlite-session.ts';

/** Runs in a thread of its own: opens a database file, and then what it is sent, one after the other. */
function serve(port: MessagePort, { file, lockWait }: SqliteThreadData): void {
  const say = (answer: SqliteThreadAnswer) => port.postMessage(answer);
  let session: SqliteSession;
  try {
    session = new SqliteSession(file, lockWait);
  } catch (error) {
    say({ kind: 'not-opened', failure: failureOf(error) });
    port.close();
    return;
  }
  say({ kind: 'opened' });
  port.on('message', (request: SqliteThreadRequest) => {
    if (request !== 'close') return say(session.run(request));
    session.close();
    port.close();
  });
}

if (parentPort === null) throw new Error('This file is the main file of a thread.');
serve(parentPort, workerData as SqliteThreadData);
