import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../platform/config.ts';
import { HttpError, ReleaseError } from '../platform/release-error.ts';
import type { CallBody, CallEvent } from './call-messages.ts';

const defaultLimits = {
  /** Calls at the same time: each is a process, and a check opens a browser. */
  ofReleaser: 8,
  total: 16,
  /** Bytes of the builds that a releaser sends in a day. A build may have 100 MB. */
  bytesPerDay: 2_000_000_000,
  /** Bytes of the disk without which no build is received: three copies of the largest one, and room for changes of the page. */
  requiredSpace: 1_000_000_000,
};
/** Milliseconds for which the result of a call is kept. Its client asks again for a shorter time. */
const keptFor = 3_600_000;
/** Age of a folder, in milliseconds, at which its call must have ended. */
const leftoverAge = 24 * 3_600_000;

/** What the process of a call gets. */
export interface CallMessage {
  /** Arguments, which the server has checked. */
  readonly words: readonly string[];
  readonly releaser: string;
  readonly build?: { readonly folder: string; readonly commit: string | undefined } | undefined;
}

export interface ReceivedCall extends CallBody {
  /** Whether it can run for hours, and shuts down gracefully on SIGTERM. */
  readonly isLongRunning: boolean;
}

/** A call that is being received, or runs. `call` is missing until its process starts. */
interface ActiveCall {
  readonly releaser: string;
  call?: Call;
}

/** A call in its process, with all that it has printed. */
export class Call {
  readonly releaser: string;
  readonly isLongRunning: boolean;
  /** Resolves when the result is there. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #events: CallEvent[] = [];
  #change = Promise.withResolvers<undefined>();

  constructor(releaser: string, isLongRunning: boolean, process: ChildProcess) {
    this.releaser = releaser;
    this.isLongRunning = isLongRunning;
    this.#process = process;
    this.ended = this.#collect();
  }

  /** What the call prints, from its start; ends with its result. */
  async *follow(): AsyncGenerator<CallEvent> {
    for (let next = 0; ; next += 1) {
      let event: CallEvent | undefined;
      while (!(event = this.#events[next])) await this.#change.promise;
      yield event;
      if ('exitCode' in event) return;
    }
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#process.kill(signal);
  }

  async #collect(): Promise<void> {
    let stdout = '';
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    this.#process.stderr?.setEncoding('utf8').on('data', (progress: string) => void this.#add({ progress }));
    await once(this.#process, 'close').catch(() => undefined);
    const { exitCode } = this.#process;
    if (exitCode === null) {
      const lost =
        'The call was ended on the release server. The change may be committed: run "status" before you repeat it.\n';
      this.#add({ progress: lost });
    }
    this.#add({ exitCode: exitCode ?? 3, stdout });
  }

  #add(event: CallEvent): void {
    this.#events.push(event);
    this.#change.resolve(undefined);
    this.#change = Promise.withResolvers();
  }
}

/**
 * The calls of a release server, each in a process of its own. A call has a key of its client: a repeated request follows the
 * call that runs or has ended, and never starts it a second time.
 * A call runs to its end, also without a client that follows it.
 */
export class RunningCalls {
  readonly #program: string;
  readonly #folder: string;
  readonly #limits: typeof defaultLimits;
  readonly #calls = new Map<string, Promise<Call>>();
  readonly #active = new Set<ActiveCall>();
  /** Releaser and day → bytes of the builds that were received, since the start of the server. */
  readonly #receivedBytes = new Map<string, number>();
  #isStopping = false;

  /**
   * @param program file that runs the {@link CallMessage} which its process gets
   * @param folder for builds while they are published. Removes what earlier servers have left there
   */
  constructor(program: string, folder: string, limits = defaultLimits) {
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

  /**
   * The call with this key. Receives and starts it if it is new. Throws an {@link HttpError} if there are too many, or if it is
   * that of another releaser.
   */
  async open(key: string, releaser: string, receive: () => Promise<ReceivedCall>): Promise<Call> {
    let opened = this.#calls.get(key);
    if (!opened) {
      opened = this.#start(releaser, receive);
      this.#calls.set(key, opened);
      const forget = () => this.#calls.delete(key);
      opened.then(async ({ ended }) => {
        await ended;
        setTimeout(forget, keptFor).unref();
      }, forget);
    }
    const call = await opened;
    if (call.releaser !== releaser) throw new HttpError(410, 'The release server does not know this call.');
    return call;
  }

  /** Refuses new calls. Resolves when all have ended; kills those that still run after a time, in milliseconds. */
  async stop(timeout: number): Promise<void> {
    this.#isStopping = true;
    const calls = [...this.#active].flatMap(({ call }) => call ?? []);
    for (const call of calls) if (call.isLongRunning) call.kill('SIGTERM');
    const timer = setTimeout(() => calls.forEach((call) => call.kill('SIGKILL')), timeout);
    await Promise.all(calls.map((call) => call.ended));
    clearTimeout(timer);
  }

  async #start(releaser: string, receive: () => Promise<ReceivedCall>): Promise<Call> {
    const own = [...this.#active].filter((active) => active.releaser === releaser);
    if (own.length >= this.#limits.ofReleaser || this.#active.size >= this.#limits.total) {
      throw new HttpError(429, 'The release server runs as many calls as it can. Try again in a minute.');
    }
    const active: ActiveCall = { releaser };
    this.#active.add(active);
    const folder = join(this.#folder, randomUUID());
    const end = async () => {
      this.#active.delete(active);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const { words, build, isLongRunning } = await receive();
      if (build) await this.#assertSpace(releaser, Object.values(build.files));
      await writeFiles(folder, build?.files ?? {});
      if (this.#isStopping) {
        throw new HttpError(503, 'The release server is stopping. Try again in a minute.');
      }
      const sent = build && { folder, commit: build.commit };
      const process = startProcess(this.#program, { words, releaser, build: sent });
      active.call = new Call(releaser, isLongRunning, process);
      void active.call.ended.then(end);
      return active.call;
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** Builds of one team must not fill the disk that all teams share. */
  async #assertSpace(releaser: string, files: readonly string[]): Promise<void> {
    const today = `${releaser} ${new Date().toISOString().slice(0, 10)}`;
    // Base64 has four characters for three bytes.
    const bytes = files.reduce((sum, { length }) => sum + length * 0.75, this.#receivedBytes.get(today) ?? 0);
    if (bytes > this.#limits.bytesPerDay) {
      throw new ReleaseError(
        `The builds of ${releaser} have used up their bytes of today. Publish again tomorrow.`,
      );
    }
    this.#receivedBytes.set(today, bytes);
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize >= this.#limits.requiredSpace) return;
    throw new ReleaseError(
      'The disk of the release server has no room for another build. Ask its operator to free some space.',
    );
  }
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, 'base64');
  }
}

function startProcess(program: string, message: CallMessage): ChildProcess {
  // The server has identified the releaser, so no setting of a client may. `detached` keeps signals of the terminal away.
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
