import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Outcome } from './run-release.ts';

/** One call of the command, for the thread that runs it. */
export interface HostedCall {
  readonly words: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

let worker: Worker | undefined;
let calls: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in a thread that all calls of a test file share, one after the other. That saves the start of a
 * process for each; signals need a process, and so does the claim that one ends.
 */
export function hostRelease(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  const outcome = calls.then(() => call({ words, environment }));
  calls = outcome.catch(() => undefined);
  return outcome;
}

async function call(hosted: HostedCall): Promise<Outcome> {
  worker ??= new Worker(join(import.meta.dirname, 'release-thread.ts'));
  worker.ref();
  worker.postMessage(hosted);
  const [outcome] = (await once(worker, 'message')) as [Outcome];
  worker.unref();
  return outcome;
}
