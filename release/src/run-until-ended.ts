import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** What a process left behind. */
export interface EndedProcess {
  readonly exitCode: number | null;
  readonly stdout: string;
}

/**
 * Runs a process to its end. On abort it is asked to stop, and the promise is rejected with the signal's reason only
 * when it has ended, so that nothing of it runs on.
 */
export async function runUntilEnded(
  command: string,
  words: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
  signal: AbortSignal,
): Promise<EndedProcess> {
  signal.throwIfAborted();
  const running = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const askToStop = () => void running.kill('SIGTERM');
  signal.addEventListener('abort', askToStop);
  try {
    const [stdout] = await Promise.all([text(running.stdout), once(running, 'close')]);
    signal.throwIfAborted();
    return { exitCode: running.exitCode, stdout };
  } finally {
    signal.removeEventListener('abort', askToStop);
  }
}
