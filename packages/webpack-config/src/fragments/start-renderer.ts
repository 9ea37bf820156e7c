import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sourceFile } from '../base/source-file.ts';
import type { RenderJob } from './render-fragments.ts';

/** Exposed key → markup. */
export type Fragments = Readonly<Record<string, string>>;

/** Renders the components of a remote. After an error it renders nothing more. */
export interface Renderer extends AsyncDisposable {
  /** The fragments: first without mutants, then with some. */
  next(mutants?: readonly string[]): Promise<Fragments>;
}

/** Timeout for rendering all components of a remote, in milliseconds. */
const renderTimeout = 30_000;

/** Starts a worker thread that renders, so that the timeout can terminate a component that never returns. */
export function startRenderer(job: RenderJob, timeout = renderTimeout): Renderer {
  const worker = new Worker(sourceFile('fragments/render-fragments'), {
    workerData: job,
    // Only this variable, so that the markup does not depend on the machine.
    env: { NODE_ENV: 'production' },
  });
  const ended = once(worker, 'exit').then((): never => {
    throw new Error(`${job.remote} ended its own rendering, or takes longer than ${timeout / 1000} s.`);
  });
  // It may end while nothing waits for it.
  ended.catch(() => undefined);
  const stop = async () => void (await worker.terminate());
  return {
    async next(mutants) {
      const timer = setTimeout(() => void stop(), timeout);
      const rendered = once(worker, 'message') as Promise<[Fragments]>;
      if (mutants) worker.postMessage(mutants);
      const [fragments] = await Promise.race([rendered, ended]).finally(() => clearTimeout(timer));
      return fragments;
    },
    [Symbol.asyncDispose]: stop,
  };
}
