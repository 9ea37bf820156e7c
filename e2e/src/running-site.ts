import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentWith } from './config.ts';

/** Folder of the whole project. */
export const projectDirectory = join(import.meta.dirname, '..', '..');

/** The site as `npm start` runs it, with a data folder of its own. */
export interface RunningSite {
  readonly url: string;
  readonly dataDirectory: string;
  /** Lines it has printed so far. */
  readonly lines: readonly string[];
  readonly process: ChildProcess;
  /** Asks it to stop, waits until it has, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** A new folder for a site's data. Whoever makes it removes it. */
export async function makeDataDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'site-'));
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** Starts the site on free ports and waits until it prints its address. Rejects with what it said if it ends first. */
export async function startSite(dataDirectory: string): Promise<RunningSite> {
  const site = spawnStart({ DATA_DIR: dataDirectory, PORT: '0', LEADS_PORT: '0' });
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [site.stdout, site.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        const [address] = /http:\/\/localhost:\d+/.exec(line) ?? [];
        if (address) resolve(address);
      });
    }
    site.once('exit', () => reject(new Error(`The site did not start:\n${lines.join('\n')}`)));
  });
  return { url, dataDirectory, lines, process: site, stop: () => stop(site) };
}

/** Runs the command behind `npm start` with the given variables. */
export function spawnStart(variables: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [join(projectDirectory, 'release', 'src', 'start.ts')], {
    env: environmentWith({ DATABASE_URL: undefined, ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function stop(site: ChildProcess): Promise<number | null> {
  if (site.exitCode === null && site.signalCode === null) {
    const ended = once(site, 'exit');
    site.kill('SIGINT');
    await ended;
  }
  return site.exitCode;
}

/** Ids of the processes that a process has started. */
export async function childrenOf(pid: number): Promise<number[]> {
  const ids = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return ids.split(' ').filter(Boolean).map(Number);
}
