import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../platform/config.ts';
import type { ChangeOrigin } from '../store/audit-entry.ts';
import { Call } from './call.ts';
import type { PathNames } from './hide-paths.ts';
import { HttpError } from './http-error.ts';
import type { Identity } from './identity.ts';

/**
 * Calls at the same time: each is a process, and a check opens a browser. Those that are still received count for their identity only,
 * so that its slow uploads take no place of others.
 */
const maxCalls = { ofIdentity: 8, total: 16 };
/** Milliseconds for which the result of a call is kept. */
const keptFor = 3_600_000;
/** Characters of output of all calls that have ended. */
const maxOutput = 64_000_000;
/** Milliseconds after which no call can use its folder any more. */
const leftoverAge = 24 * 3_600_000;
/** Keys of ended calls, so that none runs a second time. */
const maxKeys = 20_000;

/** What the process of a call gets. */
export interface CallMessage {
  /** Name of the command. */
  readonly name: string;
  readonly words: readonly string[];
  /** As the server has parsed and checked them. */
  readonly options: object;
  readonly releaser: string;
  readonly origin?: ChangeOrigin | undefined;
  readonly build?: { readonly folder: string; readonly commit: string | undefined } | undefined;
}

/** A call that was received. */
export interface ReceivedCall {
  readonly message: CallMessage;
  /** Whether it could go on for hours, and ends properly on SIGTERM. */
  readonly goesOn: boolean;
}

/**
 * Receives a call. Files of its build go into the folder.
 *
 * @param admit counts the call, before its build is read. Throws an {@link HttpError} if there are too many
 */
type Receive = (folder: string, admit: () => void) => Promise<ReceivedCall>;

/**
 * The calls of a release server, each in a process of its own. A call has a key of its client: a repeated request follows the
 * call that runs or has ended, and never starts it a second time.
 * A call runs to its end, also without a client that follows it.
 */
export class RunningCalls {
  readonly #program: string;
  readonly #folder: string;
  readonly #pathNames: PathNames;
  readonly #limits: typeof maxCalls;
  readonly #calls = new Map<string, Promise<Call>>();
  /** Names of the identities of the calls that are received or run, once for each. */
  readonly #active: string[] = [];
  readonly #running = new Set<Call>();
  readonly #ended: Call[] = [];
  #isStopping = false;

  /**
   * @param program file that runs the {@link CallMessage} which its process gets
   * @param folder for builds while they are received and published. Removes what earlier servers have left there
   * @param pathNames paths that no call may print
   */
  constructor(program: string, folder: string, pathNames: PathNames, limits = maxCalls) {
    this.#program = program;
    this.#folder = folder;
    this.#pathNames = pathNames;
    this.#limits = limits;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const oldest = Date.now() - leftoverAge;
    for (const name of readdirSync(folder)) {
      const left = join(folder, name);
      if (statSync(left).mtimeMs < oldest) rmSync(left, { recursive: true, force: true });
    }
  }

  /** The call with this key. Receives and starts it if it is new. Throws an {@link HttpError} if there are too many. */
  async open(key: string, { name }: Identity, receive: Receive): Promise<Call> {
    for (;;) {
      const known = this.#calls.get(key);
      if (!known) break;
      const call = await known.catch(() => undefined);
      if (call) return assertCaller(call, name);
    }
    this.#assertRoom(name);
    const starting = this.#start(name, receive);
    this.#calls.set(key, starting);
    try {
      return await starting;
    } catch (error) {
      this.#calls.delete(key);
      throw error;
    }
  }

  /** The call with this key. Throws an {@link HttpError} if this server does not know it. */
  async find(key: string, { name }: Identity): Promise<Call> {
    const call = await this.#calls.get(key)?.catch(() => undefined);
    if (!call) throw unknownCall();
    return assertCaller(call, name);
  }

  /** Refuses new calls. Resolves when all have ended; kills those that still run after a time, in milliseconds. */
  async stop(timeout: number): Promise<void> {
    this.#isStopping = true;
    const calls = [...this.#running];
    for (const call of calls) if (call.goesOn) call.kill('SIGTERM');
    const timer = setTimeout(() => calls.forEach((call) => call.kill('SIGKILL')), timeout);
    await Promise.all(calls.map((call) => call.ended));
    clearTimeout(timer);
  }

  #assertRoom(name: string): void {
    this.#assertOpen();
    const own = this.#active.filter((active) => active === name).length;
    if (own >= this.#limits.ofIdentity) throw tooManyCalls();
    this.#assertPlace();
  }

  #assertPlace(): void {
    if (this.#running.size >= this.#limits.total) throw tooManyCalls();
  }

  #assertOpen(): void {
    if (this.#isStopping) throw new HttpError(503, 'The release server is stopping. Try again in a minute.');
  }

  async #start(name: string, receive: Receive): Promise<Call> {
    const folder = await mkdtemp(join(this.#folder, 'call-'));
    let isAdmitted = false;
    const admit = () => {
      this.#assertRoom(name);
      this.#active.push(name);
      isAdmitted = true;
    };
    try {
      const { message, goesOn } = await receive(folder, admit);
      this.#assertOpen();
      this.#assertPlace();
      const pathNames = [[folder, 'the build'] as const, ...this.#pathNames];
      const call = new Call(name, goesOn, startProcess(this.#program, message), pathNames);
      this.#running.add(call);
      void call.ended.then(async () => {
        this.#running.delete(call);
        this.#end(name);
        this.#ended.push(call);
        this.#forget();
        await rm(folder, { recursive: true, force: true });
      });
      return call;
    } catch (error) {
      if (isAdmitted) this.#end(name);
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  #end(name: string): void {
    this.#active.splice(this.#active.indexOf(name), 1);
  }

  /** Drops the output of calls that ended long ago or are too large, and keys that no client repeats any more. */
  #forget(): void {
    const oldest = performance.now() - keptFor;
    const size = () => this.#ended.reduce((sum, call) => sum + call.size, 0);
    while (this.#ended[0] && (this.#ended[0].endedAt < oldest || size() > maxOutput)) {
      this.#ended.shift()?.forget();
    }
    for (const key of this.#calls.keys()) {
      if (this.#calls.size <= maxKeys) break;
      this.#calls.delete(key);
    }
  }
}

function assertCaller(call: Call, name: string): Call {
  if (call.caller !== name || call.isForgotten) throw unknownCall();
  return call;
}

function tooManyCalls(): HttpError {
  return new HttpError(429, 'The release server runs as many calls as it can. Try again in a minute.');
}

function unknownCall(): HttpError {
  return new HttpError(410, 'The release server does not know this call any more.');
}

function startProcess(program: string, message: CallMessage): ChildProcess {
  // The server has decided who calls. None of its clients' settings, and no signal of its terminal, reaches the call.
  const env = childEnvironment({ RELEASER: undefined, RELEASE_URL: undefined, RELEASE_TOKEN: undefined });
  const child = fork(program, [], {
    env,
    silent: true,
    detached: true,
    execArgv: [],
    serialization: 'advanced',
  });
  child.on('error', () => undefined);
  child.send(message, () => undefined);
  return child;
}
