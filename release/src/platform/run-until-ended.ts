import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { hasErrorCode } from './is-missing-file.ts';

/** Milliseconds after which processes that ignore SIGTERM are killed. Only detached ones, which may run any code. */
const killAfter = 10_000;

/** Result of a process. */
interface CompletedProcess {
  readonly exitCode: number | null;
  readonly stdout: string;
}

/**
 * Runs a child process until it exits. On abort it gets SIGTERM, and the promise rejects after it has exited, so that the
 * process never outlives the promise. With `detached`, neither do the processes that it has started, unless they left its group.
 */
export async function runToCompletion(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'>,
  signal: AbortSignal,
): Promise<CompletedProcess> {
  signal.throwIfAborted();
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  let timer: NodeJS.Timeout | undefined;
  const end = (how: NodeJS.Signals) => {
    if (!options.detached || child.pid === undefined) return void child.kill(how);
    try {
      // A detached process leads a group.
      process.kill(-child.pid, how);
    } catch (error) {
      // The group has ended, but a process that has left it still has the output.
      if (!hasErrorCode(error, 'ESRCH')) throw error;
    }
  };
  const terminate = () => {
    end('SIGTERM');
    if (!options.detached) return;
    timer = setTimeout(() => {
      end('SIGKILL');
      child.stdout.destroy();
    }, killAfter);
  };
  signal.addEventListener('abort', terminate);
  try {
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
    signal.throwIfAborted();
    return { exitCode: child.exitCode, stdout };
  } finally {
    signal.removeEventListener('abort', terminate);
    clearTimeout(timer);
  }
}
