import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Result of a process. */
interface CompletedProcess {
  readonly exitCode: number | null;
  readonly stdout: string;
}

/**
 * Runs a child process until it exits. On abort it gets SIGTERM, and the promise rejects after it has exited, so that the
 * process never outlives the promise.
 */
export async function runToCompletion(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
  signal: AbortSignal,
): Promise<CompletedProcess> {
  signal.throwIfAborted();
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const terminate = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', terminate);
  try {
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
    signal.throwIfAborted();
    return { exitCode: child.exitCode, stdout };
  } finally {
    signal.removeEventListener('abort', terminate);
  }
}
