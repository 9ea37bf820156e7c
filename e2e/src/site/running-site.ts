import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { releaseDocument } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';

export const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** The file behind `npm run release`. */
export const releaseCommand = join(projectDirectory, 'release', 'src', 'cli.ts');

/** Folder that a part is built into. */
export const builtFolder = (part: string) => join(projectDirectory, part, 'dist');

/** Shares a compile cache between the processes that tests start, which shortens their start. */
const compileCache = { NODE_COMPILE_CACHE: join(projectDirectory, 'node_modules/.cache/compile') } as const;

/** The environment for a process of a test. A variable that is `undefined` is removed. */
export function environmentWith(variables: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  // This releaser owns every part.
  return { ...process.env, ...compileCache, RELEASER: 'page-team', ...variables };
}

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
  /** Parts of which pages have reported a measure, which is a pattern of SQL's `like`: `views`, or `failed%`. */
  reportedParts(measure: string): readonly string[];
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
  const site = spawnStart({
    ...variables,
    DATA_DIR: dataDirectory,
    PORT: '0',
    LEADS_PORT: '0',
    BOARD_PORT: '0',
  });
  const lines: string[] = [];
  const openLine = await waitForLine(site, /http:\/\/localhost:\d+/, lines);
  const [url = ''] = /http:\S+/.exec(openLine) ?? [];
  return {
    url,
    dataDirectory,
    lines,
    process: site,
    leads: (wanted) => readLeads(dataDirectory).filter(({ name }) => wanted === undefined || name === wanted),
    reportedParts: (measure) =>
      readRows<{ part: string }>(
        dataDirectory,
        'select distinct part from page_reports where measure like ? order by part',
        measure,
      ).map(({ part }) => part),
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
export function waitForLine(child: ChildProcess, pattern: RegExp, lines: string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        if (pattern.test(line)) resolve(line);
      });
    }
    child.once('exit', () => reject(new Error(`It ended without a line ${pattern}:\n${lines.join('\n')}`)));
  });
}

/** Runs the command behind `npm start` with the given variables, on SQLite, from which `leads()` reads. */
export function spawnStart(variables: Readonly<Record<string, string>>): ChildProcess {
  return startProgram([join(projectDirectory, 'release', 'src', 'start.ts')], {
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

function readRows<Row>(dataDirectory: string, query: string, ...values: readonly string[]): readonly Row[] {
  const file = join(dataDirectory, 'leads', 'leads.sqlite');
  using database = new DatabaseSync(file, { readOnly: true, timeout: 30_000 });
  return database.prepare(query).all(...values) as unknown as readonly Row[];
}

function readLeads(dataDirectory: string): readonly StoredLead[] {
  const columns = 'type, name, email, company, message, release_id as releaseId, attribution';
  return readRows<StoredLead>(dataDirectory, `select ${columns} from leads order by id`).map((row) => ({
    ...row,
    attribution: JSON.parse(String(row.attribution)) as unknown,
  }));
}

/** A server of a test, by default on a free port. */
interface LocalServer extends AsyncDisposable {
  readonly url: string;
  readonly port: string;
  close(): Promise<void>;
}

export async function startServer(
  respond: RequestListener,
  host = '127.0.0.1',
  wantedPort = 0,
): Promise<LocalServer> {
  const server = createServer(respond).listen(wantedPort, host);
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://${host}:${port}`, port, close, [Symbol.asyncDispose]: close };
}

interface RemoteStatus {
  readonly live: string;
  readonly canary: string | undefined;
}

/** The command behind `npm run release`, for one store. Rejects with its output if it fails. */
export interface ReleaseInto {
  /** Runs it and returns its JSON. */
  run<Printed>(...words: readonly string[]): Promise<Printed>;
  /** Runs several commands in one process, one after the other, and returns the JSON of each. */
  runInTurn<Printed>(commands: readonly (readonly string[])[]): Promise<readonly Printed[]>;
  /** Stores a build and returns its version. */
  publish(part: string, built: string): Promise<string>;
  status(remote: RemoteName): Promise<RemoteStatus>;
}

/** The words of `promote` or `canary` for a version that is broken on purpose, which the check would refuse. */
export function releaseBroken(...words: readonly string[]): readonly string[] {
  // eslint-disable-next-line no-restricted-syntax -- The only place. All other versions pass the check.
  return [...words, '--force', '--why', 'a test shows a broken version'];
}

/** @param variables settings, the same as those of the site that serves the store */
export function releaseInto(variables: Readonly<Record<string, string>>): ReleaseInto {
  const runInTurn = async <Printed>(commands: readonly (readonly string[])[]) => {
    const program = join(import.meta.dirname, 'release-in-turn.ts');
    const running = promisify(execFile)(process.execPath, [program], { env: environmentWith(variables) });
    running.child.stdin?.end(JSON.stringify(commands));
    return JSON.parse((await running).stdout) as readonly Printed[];
  };
  const run = async <Printed>(...words: readonly string[]) => {
    const [printed] = await runInTurn<Printed>([words]);
    return printed as Printed;
  };
  return {
    run,
    runInTurn,
    publish: async (part, built) => (await run<{ readonly version: string }>('publish', part, built)).version,
    async status(remote) {
      const { release } = await run<{ readonly release: unknown }>('status');
      const now = releaseDocument.parse(release).remotes[remote];
      if (!now) throw new Error(`${remote} is not live.`);
      return { live: now.live.version, canary: now.canary?.version.version };
    },
  };
}
