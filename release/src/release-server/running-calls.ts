import { fork, type ForkOptions } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from '../platform/child-environment.ts';
import { HttpError } from '../platform/release-error.ts';
import type { CallState, SentCall } from './call-messages.ts';
import type { ReceivedBuilds } from './received-builds.ts';

const defaultLimits = {
  /** Calls at the same time: each is a process, and a check opens a browser. */
  ofReleaser: 8,
  total: 16,
  /** Milliseconds after which a call is killed that is not long-running. On a busy machine, a check takes some ten minutes. */
  duration: 3_600_000,
};
/** Milliseconds for which a result is kept. Its client asks again for a shorter time. */
const keptFor = 20 * 60_000;
/** Milliseconds after which a client is answered though nothing has happened, before a proxy takes its connection for dead. */
const quietFor = 20_000;

/** The input of the process of a call: words, which the server has checked, and the tar that came with them. */
export interface ProcessInput {
  readonly words: readonly string[];
  readonly releaser: string;
  readonly build?: { readonly tar: string; readonly commit: string | undefined } | undefined;
}

export interface ReceivedCall extends SentCall {
  readonly releaser: string;
  /** Whether it can run for hours, and shuts down gracefully on SIGTERM. */
  readonly isLongRunning: boolean;
  /** Whether it can publish a version, or change the page. */
  readonly mayChange: boolean;
  /** The tar of the build. */
  readonly body: Readable;
}

type StartedCall = ReturnType<typeof startCall>;

export type RunningCalls = ReturnType<typeof createRunningCalls>;

/**
 * The calls of a release server, each in a process of its own. A call has a key of its client: a repeated request gets the
 * call that runs or has ended, and never starts it a second time. It runs to its end, also without a client that asks for it.
 *
 * @param program file that runs the {@link ProcessInput} which its process gets
 */
export function createRunningCalls(program: string, builds: ReceivedBuilds, limits = defaultLimits) {
  const calls = new Map<string, Promise<StartedCall>>();
  /** Calls that are received or run, with their process as soon as it has started. */
  const active = new Map<ReceivedCall, StartedCall | undefined>();
  let isStopping = false;

  /** Runs a call from the first byte of its build to its end. */
  async function run(received: ReceivedCall, started: (call: StartedCall) => void): Promise<void> {
    const { words, releaser, build: sent, body, mayChange } = received;
    const sameReleaser = [...active.keys()].filter((other) => other.releaser === releaser);
    if (sameReleaser.length >= limits.ofReleaser || active.size >= limits.total) {
      throw new HttpError(429, 'The release server runs as many calls as it can. Try again in a minute.');
    }
    active.set(received, undefined);
    try {
      await using build = sent && (await builds.receive(releaser, sent, body));
      if (isStopping) throw new HttpError(503, 'The release server is stopping. Try again in a minute.');
      const call = startCall(program, { words, releaser, build }, mayChange);
      active.set(received, call);
      started(call);
      const timer = setTimeout(() => received.isLongRunning || call.kill('SIGKILL'), limits.duration);
      await call.ended;
      clearTimeout(timer);
    } finally {
      active.delete(received);
    }
  }

  /** Starts a call. It is known for a while after its end, but a refused call can be sent again. */
  function start(key: string, received: ReceivedCall): Promise<StartedCall> {
    const { promise, resolve, reject } = Promise.withResolvers<StartedCall>();
    const forget = () => calls.delete(key);
    calls.set(key, promise);
    run(received, resolve).catch(reject);
    promise.then(({ ended }) => ended.then(() => setTimeout(forget, keptFor).unref()), forget);
    return promise;
  }

  return {
    /**
     * The call with this key, which starts if it was received and is new. Throws an {@link HttpError} if there are too many, or
     * if the releaser has no such call.
     */
    async open(key: string, releaser: string, received?: ReceivedCall): Promise<StartedCall> {
      const known = calls.get(key);
      // A connection whose bytes are not read is soon closed.
      if (known) received?.body.resume();
      const call = await (known ?? (received && start(key, received)));
      if (call?.releaser === releaser) return call;
      throw new HttpError(call ? 410 : 404, 'The release server does not know this call.');
    },

    /**
     * Refuses new calls. Resolves when those that run have ended, and their clients have asked for the results.
     *
     * @param timeout milliseconds after which calls that still run are killed
     * @param answerTimeout milliseconds that clients then get
     */
    async stop(timeout: number, answerTimeout: number): Promise<void> {
      isStopping = true;
      const running = [...active.values()].filter((call) => call !== undefined);
      for (const [{ isLongRunning }, call] of active) if (isLongRunning) call?.kill('SIGTERM');
      const timer = setTimeout(() => running.forEach((call) => call.kill('SIGKILL')), timeout);
      await Promise.all(running.map(({ ended }) => ended));
      clearTimeout(timer);
      const answered = Promise.all(running.map((call) => call.answered));
      // Without `ref`, because the process would wait for it although all clients have their answers.
      await Promise.race([answered, delay(answerTimeout, undefined, { ref: false })]);
    },
  };
}

/** Starts a call in its process, and collects what it prints. */
function startCall(program: string, message: ProcessInput, mayChange: boolean) {
  // The server has identified the releaser, so no setting of a client may. `detached` keeps signals of the terminal away.
  const env = childEnvironment({ RELEASER: undefined, RELEASE_URL: undefined, RELEASE_TOKEN: undefined });
  const options: ForkOptions = { silent: true, detached: true, execArgv: [], serialization: 'advanced' };
  const child = fork(program, [], { ...options, env }).on('error', () => undefined);
  child.send(message, () => undefined);
  let stdout = '';
  let progress = '';
  let result: CallState['result'];
  const events = new EventEmitter();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    progress += text;
    events.emit('change');
  });
  const end = async () => {
    await once(child, 'close').catch(() => undefined);
    if (child.exitCode === null) {
      const remedy = mayChange
        ? 'The change may be committed: run "status" before you repeat it.'
        : 'Repeat it.';
      progress += `The call was ended on the release server. ${remedy}\n`;
    }
    result = { exitCode: child.exitCode ?? (mayChange ? 3 : 1), stdout };
    events.emit('change');
  };
  return {
    releaser: message.releaser,
    /** Resolves when the result is there. */
    ended: end(),
    /** Resolves when a client has asked for the result. */
    answered: once(events, 'answered'),
    kill: (signal: 'SIGTERM' | 'SIGKILL') => child.kill(signal),
    /** Waits until there is more than the first `characters` of the progress, or the result. */
    async stateAfter(characters: number): Promise<CallState> {
      if (progress.length <= characters && !result)
        await once(events, 'change', { signal: AbortSignal.timeout(quietFor) }).catch(() => undefined);
      if (result) events.emit('answered');
      return { progress: progress.slice(characters), result };
    },
  };
}
