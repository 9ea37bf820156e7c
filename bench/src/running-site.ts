import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentWith } from './config.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

/**
 * Serves the page like `npm start`, on free ports and with a temporary data folder, while `measure` runs.
 *
 * @param directory folder of the project, or of another version of it
 */
export async function withRunningSite<Result>(
  measure: (url: string, dataDirectory: string) => Promise<Result>,
  directory = projectDirectory,
): Promise<Result> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'bench-'));
  const site = spawn(process.execPath, ['release/src/start/start.ts'], {
    cwd: directory,
    // Without a database URL, so that the benchmark does not write leads into a database in use.
    env: environmentWith({
      DATABASE_URL: undefined,
      PORT: '0',
      LEADS_PORT: '0',
      BOARD_PORT: '0',
      DATA_DIR: dataDirectory,
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return await measure(await addressOf(site), dataDirectory);
  } finally {
    if (site.exitCode === null) {
      site.kill('SIGTERM');
      await once(site, 'exit');
    }
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

function addressOf(site: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!site.stdout) throw new TypeError('The site was spawned without an output pipe.');
    createInterface(site.stdout).on('line', (line) => {
      const [url] = /http:\/\/localhost:\d+/.exec(line) ?? [];
      if (url) resolve(url);
    });
    site.once('exit', () => reject(new Error('The site did not start. See its output above.')));
  });
}

/** Path of the browser, which is installed if there is none. */
export async function browserPath(): Promise<string> {
  const search = spawn(process.execPath, ['packages/browser/src/ensure-browser.ts'], {
    cwd: projectDirectory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let path: string | undefined;
  createInterface(search.stdout).on('line', (line) => {
    path = /^browser: (\/\S+|[A-Z]:.+)$/.exec(line)?.[1] ?? path;
  });
  await once(search, 'close');
  if (!path) throw new Error('No browser found. See the output above.');
  return path;
}
