import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { environmentWith } from '../config.ts';

/** Folder of the whole project. */
export const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** The file behind `npm run release`. */
export const releaseCommand = join(projectDirectory, 'release', 'src', 'cli.ts');

/** Folder that a part is built into. */
export const builtFolder = (part: string) => join(projectDirectory, part, 'dist');

/** Columns of the service's database that the page determines. */
interface StoredLead {
  readonly type: string;
  readonly name: string;
  readonly email: string;
  readonly company: string | null;
  readonly message: string;
  /** Release of the page that sent it. */
  readonly releaseId: string | null;
  readonly attribution: unknown;
}

/** The site as `npm start` runs it, with a data folder of its own. */
export interface RunningSite {
  readonly url: string;
  readonly dataDirectory: string;
  /** Printed lines so far. */
  readonly lines: readonly string[];
  readonly process: ChildProcess;
  /** All stored leads, or those with a name, oldest first. */
  leads(name?: string): readonly StoredLead[];
  /** Stops it and returns its exit code. */
  stop(): Promise<number | null>;
}

interface ProcessOptions {
  readonly cwd?: string;
  /** Environment variables beside those of the tests. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** Runs a command and returns its standard output. Rejects with its output if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, variables = {} }: ProcessOptions = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: environmentWith(variables) });
  return stdout;
}

/** Starts a Node.js program whose output can be read with {@link waitForLine}. */
export function startProgram(
  args: readonly string[],
  { cwd, variables = {} }: ProcessOptions = {},
): ChildProcess {
  return spawn(process.execPath, args, {
    cwd,
    env: environmentWith(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  const ports = { PORT: '0', LEADS_PORT: '9', BOARD_PORT: '0' };
  const serving = startProgram([releaseCommand, 'serve'], {
    variables: { ...variables, ...ports, DATA_DIR: dataDirectory },
  });
  return whenOpen(serving, dataDirectory);
}

async function whenOpen(site: ChildProcess, dataDirectory: string): Promise<RunningSite> {
  const lines: string[] = [];
  const openLine = await waitForLine(site, /http:\/\/localhost:\d+/, lines);
  const [url = ''] = /http:\S+/.exec(openLine) ?? [];
  return {
    url,
    dataDirectory,
    lines,
    process: site,
    leads: (wanted) => readLeads(dataDirectory).filter(({ name }) => wanted === undefined || name === wanted),
    stop: async () => {
      if (site.exitCode === null && site.signalCode === null) await end(site, 'SIGINT');
      return site.exitCode;
    },
  };
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
  return startProgram([join(projectDirectory, 'release', 'src', 'start', 'start.ts')], {
    variables: { DATABASE_URL: undefined, ...variables },
  });
}

/** Ids of the processes that a process has started. */
export async function childrenOf(pid: number): Promise<number[]> {
  const ids = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return ids.split(' ').filter(Boolean).map(Number);
}

/** Sends a signal to a process and waits until it ends. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function readLeads(dataDirectory: string): readonly StoredLead[] {
  const database = new DatabaseSync(join(dataDirectory, 'leads', 'leads.sqlite'), {
    readOnly: true,
    timeout: 30_000,
  });
  try {
    const columns = 'type, name, email, company, message, release_id as releaseId, attribution';
    const rows = database.prepare(`select ${columns} from leads order by id`).all();
    return (rows as unknown as StoredLead[]).map((row) => ({
      ...row,
      attribution: JSON.parse(String(row.attribution)) as unknown,
    }));
  } finally {
    database.close();
  }
}
