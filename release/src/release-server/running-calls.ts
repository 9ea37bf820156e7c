import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../publish/config.ts';
import type { ChangeOrigin } from '../store/history.ts';
import { Call } from './call.ts';
import { HttpError } from './http-error.ts';
import type { Identity } from './identity.ts';

/** Calls at the same time: each is a process, and a check opens a browser. */
const maxCalls = { ofIdentity: 8, total: 16 };
/** Milliseconds for which the result of a call is kept. More than its client asks for. */
const keptFor = 3_600_000;
/** Milliseconds after which no call can use its folder any more. */
const leftoverAge = 24 * 3_600_000;

/** What the process of a call gets. */
export interface CallMessage {
  /** Arguments, which the server has checked. */
  readonly words: readonly string[];
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
  readonly #limits: typeof maxCalls;
  readonly #calls = new Map<string, Promise<Call>>();
  /** Names of the identities of the calls that are received or run, once for each. */
  readonly #active: string[] = [];
  readonly #running = new Set<Call>();
  #isStopping = false;

  /**
   * @param program file that runs the {@link CallMessage} which its process gets
   * @param folder for builds while they are received and published. Removes what earlier servers have left there
   */
  constructor(program: string, folder: string, limits = maxCalls) {
    this.#program = program;
    this.#folder = folder;
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
    let call = this.#calls.get(key);
    if (!call) {
      call = this.#start(name, receive);
      this.#calls.set(key, call);
      const forget = () => this.#calls.delete(key);
      call.then(async ({ ended }) => {
        await ended;
        setTimeout(forget, keptFor).unref();
      }, forget);
    }
    return assertCaller(await call, name);
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

  /** Counts a call. */
  #admit(name: string): void {
    const own = this.#active.filter((active) => active === name).length;
    if (own >= this.#limits.ofIdentity || this.#active.length >= this.#limits.total) {
      throw new HttpError(429, 'The release server runs as many calls as it can. Try again in a minute.');
    }
    this.#active.push(name);
  }

  async #start(name: string, receive: Receive): Promise<Call> {
    const folder = await mkdtemp(join(this.#folder, 'call-'));
    let isAdmitted = false;
    const end = async () => {
      if (isAdmitted) this.#active.splice(this.#active.indexOf(name), 1);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const { message, goesOn } = await receive(folder, () => {
        this.#admit(name);
        isAdmitted = true;
      });
      if (this.#isStopping) {
        throw new HttpError(503, 'The release server is stopping. Try again in a minute.');
      }
      const call = new Call(name, goesOn, startProcess(this.#program, message));
      this.#running.add(call);
      void call.ended.then(() => {
        this.#running.delete(call);
        return end();
      });
      return call;
    } catch (error) {
      await end();
      throw error;
    }
  }
}

function assertCaller(call: Call, name: string): Call {
  if (call.caller !== name) throw unknownCall();
  return call;
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
