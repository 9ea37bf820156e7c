import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectDirectory } from './build-parts.ts';
import { childEnvironment } from './config.ts';
import { ReleaseFault } from './release-fault.ts';

/** The lead service as a process of its own. */
export interface LeadServiceProcess {
  readonly origin: string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  /** Asks the process to finish what it has begun, and waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the lead service and waits until it takes leads. What it logs is printed as it is.
 *
 * @param livePage file from which it reads which versions are live, unless the environment names another
 */
export async function startLeadService(
  port: number,
  dataDirectory: string,
  livePage: string,
): Promise<LeadServiceProcess> {
  const service = spawn(process.execPath, [join(projectDirectory, 'lead-service', 'src', 'main.ts')], {
    cwd: projectDirectory,
    // Over this channel the service notices when its parent is gone, however that came about.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: childEnvironment(
      { LEADS_PORT: String(port), DATA_DIR: leadsDirectory(dataDirectory), LOG_FORMAT: 'text' },
      // The site's server stands in front and says where a lead comes from.
      { TRUSTED_PROXY_HOPS: '1', LIVE_PAGE: livePage },
    ),
  });
  const ended = once(service, 'exit');
  const origin = await Promise.race([listeningOrigin(service), ended.then(() => undefined)]);
  if (!origin) throw new ReleaseFault('The lead service did not start. What it says stands above.');
  return {
    origin,
    ended,
    async stop() {
      service.kill('SIGTERM');
      await ended;
    },
  };
}

/** In `leads/`, unless a lead service that was started alone has kept its leads in the folder itself. */
function leadsDirectory(dataDirectory: string): string {
  const files = ['leads.sqlite', 'spool.sqlite'].map((name) => join(dataDirectory, name));
  return files.some((file) => existsSync(file)) ? dataDirectory : join(dataDirectory, 'leads');
}

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
