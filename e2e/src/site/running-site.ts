import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentWith } from '../config.ts';

/** Folder of the whole project. */
export const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** The file behind `npm run release`. */
export const releaseCommand = join(projectDirectory, 'release', 'src', 'cli.ts');
export const leadsCommand = join(projectDirectory, 'lead-service', 'src', 'cli', 'main.ts');

/** Folder that a part is built into. */
export const builtFolder = (part: string) => join(projectDirectory, part, 'dist');

/** The site as `npm start` runs it, with a data folder of its own. */
export interface RunningSite {
  readonly url: string;
  readonly dataDirectory: string;
  /** Printed lines so far. */
  readonly lines: readonly string[];
  readonly process: ChildProcess;
  /** Stops it and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Creates a folder for a site's data. The caller removes it. */
export async function makeDataDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'site-'));
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/**
 * Starts the site on free ports and waits until it prints its address. Rejects with its output if it ends first.
 *
 * @param variables settings of the site and of its lead service
 */
export async function startSite(
  dataDirectory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningSite> {
  return whenOpen(
    spawnStart({ ...variables, DATA_DIR: dataDirectory, PORT: '0', LEADS_PORT: '0', BOARD_PORT: '0' }),
    dataDirectory,
  );
}

/** Serves a store as it is, without a build and without a lead service. */
export async function serveStore(
  dataDirectory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningSite> {
  // No process listens on the discard port.
  const serving = spawn(process.execPath, [releaseCommand, 'serve'], {
    env: environmentWith({
      ...variables,
      DATA_DIR: dataDirectory,
      PORT: '0',
      LEADS_PORT: '9',
      BOARD_PORT: '0',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return whenOpen(serving, dataDirectory);
}

async function whenOpen(site: ChildProcess, dataDirectory: string): Promise<RunningSite> {
  const lines: string[] = [];
  const openLine = await waitForLine(site, /http:\/\/localhost:\d+/, lines);
  const [url = ''] = /http:\S+/.exec(openLine) ?? [];
  return { url, dataDirectory, lines, process: site, stop: () => stop(site) };
}

/**
 * Waits for a matching line of a process, and returns it. Rejects with its output if it ends first. All
 * printed lines, now and later, are appended to `lines`.
 */
export async function waitForLine(site: ChildProcess, kind: RegExp, lines: string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    for (const stream of [site.stdout, site.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        if (kind.test(line)) resolve(line);
      });
    }
    site.once('exit', () => reject(new Error(`It ended without a line ${kind}:\n${lines.join('\n')}`)));
  });
}

/** Runs the command behind `npm start` with the given variables. */
export function spawnStart(variables: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [join(projectDirectory, 'release', 'src', 'start', 'start.ts')], {
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

/** Ids of the processes that work in a folder, or below it. */
export async function processesIn(directory: string): Promise<number[]> {
  const place = await realpath(directory);
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => undefined)));
  return ids.map(Number).filter((_id, index) => `${folders[index]}/`.startsWith(`${place}/`));
}

/**
 * Copies files and folders of the project into a new folder outside of it, with the dependencies of the project linked
 * in. A top-level folder that is not copied cannot be imported there. The caller removes the copy.
 */
export async function copyProject(names: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'project-'));
  const made = new Set(['dist', 'node_modules', '.turbo', '.data']);
  for (const name of names) {
    await cp(join(projectDirectory, name), join(copy, name), {
      recursive: true,
      filter: (path) => !made.has(basename(path)),
    });
    // A workspace has its own dependencies if their versions differ from the root's.
    const own = join(projectDirectory, name, 'node_modules');
    if (existsSync(own)) await symlink(own, join(copy, name, 'node_modules'));
  }
  await linkDependencies(copy);
  return copy;
}

async function linkDependencies(copy: string): Promise<void> {
  const installed = join(projectDirectory, 'node_modules');
  await mkdir(join(copy, 'node_modules'));
  for (const entry of await readdir(installed, { withFileTypes: true })) {
    // The links in there lead to the project's top-level folders, and the files record what is installed.
    const place = join(copy, 'node_modules', entry.name);
    if (entry.isDirectory()) await symlink(join(installed, entry.name), place);
    else if (entry.isFile()) await cp(join(installed, entry.name), place);
  }
}
