/** `npm run dev`: shows parts from their sources in the live page of a site. `--help` lists the options. */
import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ignoreOutputErrors } from '@countersign/contracts/program';
import { describeIssues, port } from '@countersign/contracts/settings';
import { remoteNames, type RemoteDefinition } from '@countersign/contracts/remotes';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { environmentWith } from '../base/config.ts';
import { DevelopmentError } from './development-error.ts';
import { publishedShellPage, startDevelopmentServer, type DevelopmentServer } from './development-server.ts';
import type { RemoteSource } from './watch-build.ts';

interface Options {
  /** Origin of the site. */
  readonly site: string;
  readonly port: number;
  /** Program that starts the site of this repository. `npm run dev` sets it. */
  readonly start?: string;
  readonly journeys?: boolean;
  /** Program that follows the journeys of parts in a page. `npm run dev` sets it. */
  readonly follow?: string;
}

ignoreOutputErrors();

/** Aborted when the command ends: stops the servers, and the site if this process started it. */
const stopping = new AbortController();

try {
  await new Command()
    .name('dev')
    .exitOverride()
    .description('show parts from their sources in the live page of a site')
    .argument('[parts...]', 'folders of parts (default: all, with the shell)')
    .option('--site <url>', 'site whose page is shown', parseSite, 'http://localhost:3000')
    .option('--port <number>', 'port of the development server', parsePort, 4000)
    .option('--start <program>', 'program that starts the site if it does not answer')
    .option('--journeys', 'follow the journeys of the parts in the page, again after each change')
    .option('--follow <program>', 'program that follows them')
    .action(async (names: readonly string[], options: Options) => {
      await showParts(foldersOf(names), options);
    })
    .parseAsync();
} catch (error) {
  // Stops the site if this process started it.
  stopping.abort();
  if (error instanceof CommanderError) process.exit(error.exitCode && 2);
  if (!(error instanceof DevelopmentError)) throw error;
  console.error(`dev: ${error.message}`);
  process.exitCode = 1;
}

async function showParts(folders: readonly string[], options: Options): Promise<void> {
  const { site, start, journeys = false, follow } = options;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const shell = folders.find(isShell);
  const remotes = await Promise.all(folders.filter((folder) => !isShell(folder)).map(readSource));
  if (start !== undefined) await ensureSite(site, start);
  if (stopping.signal.aborted) return;
  const server = await startDevelopmentServer({ remotes, shell, site, port: options.port, log: print });
  announce(server);
  if (!journeys || follow === undefined || stopping.signal.aborted) return;
  const page = `http://localhost:${server.port}${publishedShellPage}`;
  const child = spawn(process.execPath, [follow, page, ...folders], {
    stdio: ['ignore', 'inherit', 'inherit'],
    signal: stopping.signal,
  });
  // When the signal stops the child, Node emits an error.
  child.on('error', () => undefined);
}

/** Prints the address of a server, and closes the server at the first signal. */
function announce(server: DevelopmentServer): void {
  if (stopping.signal.aborted) {
    void server.close();
    return;
  }
  stopping.signal.addEventListener('abort', () => void server.close());
  print(`open http://localhost:${server.port} — Ctrl-C stops it`);
}

function parseSite(value: string): string {
  const url = URL.parse(value);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  throw new InvalidArgumentError('It must be a URL with a scheme, such as https://example.com.');
}

function parsePort(value: string): number {
  const { data, error } = port().safeParse(value);
  if (error) throw new InvalidArgumentError(`It ${describeIssues(error)}`);
  return data;
}

/** Absolute paths of the named parts, or of all parts in the working directory. */
function foldersOf(names: readonly string[]): readonly string[] {
  const known = globSync(['*/remote.ts', 'shell/package.json']).map(dirname).sort();
  const parts = known.length > 0 ? `Known parts: ${known.join(', ')}.` : 'This folder contains no parts.';
  const unknown = names.find(
    (folder) => !existsSync(join(folder, isShell(folder) ? 'package.json' : 'remote.ts')),
  );
  if (unknown !== undefined) throw new DevelopmentError(`Unknown part "${unknown}". ${parts}`);
  const folders = names.length > 0 ? names : known;
  if (folders.length === 0) throw new DevelopmentError(parts);
  return [...new Set(folders.map((folder) => resolve(folder)))];
}

function isShell(folder: string): boolean {
  return basename(resolve(folder)) === 'shell';
}

async function readSource(root: string): Promise<RemoteSource> {
  const file = join(root, 'remote.ts');
  const { remote } = await (
    import(pathToFileURL(file).href) as Promise<{ readonly remote?: RemoteDefinition }>
  ).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new DevelopmentError(`${file} cannot be loaded: ${message}`, { cause });
  });
  if (!remote || !remoteNames.includes(remote.name)) {
    throw new DevelopmentError(`${file} must export "remote", named one of ${remoteNames.join(', ')}.`);
  }
  return { root, remote };
}

/** Starts the site if it is on this machine and does not answer, and waits until it does. */
async function ensureSite(site: string, program: string): Promise<void> {
  const { hostname, port, protocol } = new URL(site);
  const answers = () =>
    fetch(site, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  if (protocol !== 'http:' || hostname !== 'localhost' || (await answers())) return;
  print(`${site} does not answer: starting it …`);
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environmentWith({ PORT: port || '80' }),
  });
  stopping.signal.addEventListener('abort', () => void child.kill());
  while (!stopping.signal.aborted && !(await answers())) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new DevelopmentError(`${basename(program)} ended with ${child.exitCode ?? child.signalCode}.`);
    }
    await new Promise((wait) => setTimeout(wait, 200));
  }
}

function print(line: string): void {
  console.log(`dev: ${line}`);
}
