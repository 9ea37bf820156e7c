import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../publish/config.ts';
import { ReleaseError } from '../store/release-error.ts';
import { projectDirectory } from '../publish/build-parts.ts';
import { aborted } from './stop-signal.ts';

/**
 * Starts the lead service and waits until it listens. Prints its log unchanged.
 *
 * @param livePage default of LIVE_PAGE, the file from which the service reads the live versions
 */
export async function startLeadService(
  port: number,
  dataDirectory: string,
  livePage: string,
  stopping: AbortSignal,
) {
  const service = spawn(process.execPath, [join(projectDirectory, 'lead-service', 'src', 'main.ts')], {
    cwd: projectDirectory,
    // The IPC channel tells the service that its parent has exited, even after a SIGKILL.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: childEnvironment(
      { LEADS_PORT: String(port), DATA_DIR: leadsDirectory(dataDirectory), LOG_FORMAT: 'text' },
      // Defaults. The site server is a reverse proxy, and sets X-Forwarded-For.
      { TRUSTED_PROXY_HOPS: '1', LIVE_PAGE: livePage },
    ),
  });
  const ended = once(service, 'exit');
  /** Sends SIGTERM, and resolves after the graceful shutdown. */
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  const endedOrStopped = Promise.race([ended, aborted(stopping)]).then(() => undefined);
  const origin = await Promise.race([listeningOrigin(service), endedOrStopped]);
  if (!origin) {
    await stop();
    throw new ReleaseError('The lead service did not start. Correct the errors above.');
  }
  return { origin, ended, stop };
}

/** `leads/`, unless a standalone lead service has stored its leads in the folder itself. */
export function leadsDirectory(dataDirectory: string): string {
  const files = ['leads.sqlite', 'spool.sqlite'].map((name) => join(dataDirectory, name));
  return files.some((file) => existsSync(file)) ? dataDirectory : join(dataDirectory, 'leads');
}

/** Prints the log of the service. Resolves to its origin at the entry "listening on …" of its `service.ts`; never if it exits before. */
function listeningOrigin(service: ChildProcess): Promise<string> {
  if (!service.stdout) throw new TypeError('The lead service was spawned without an output pipe.');
  const lines = createInterface(service.stdout);
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      console.log(line);
      const [, origin] = /listening on (http:\/\/\S+?)[,\s]/.exec(`${line} `) ?? [];
      if (origin) resolve(origin);
    });
  });
}
