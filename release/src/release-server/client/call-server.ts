import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../platform/file-error.ts';
import { IncompleteChange, ReleaseError, UsageError } from '../../platform/release-error.ts';
import type { Changelog } from '../../store/stored-documents.ts';
import { callEvent, health, refusal, type CallHeader, type CallResult } from '../call-messages.ts';
import { readAccessToken, type RemoteServer } from './access-token.ts';

/** Milliseconds between two attempts to connect. */
const retryInterval = 500;
/** Milliseconds between two attempts to start a call while the server runs as many as it can. */
const busyInterval = 5_000;
/** Milliseconds without an answer after which the client gives up. Less than the server keeps results for. */
const giveUpAfter = 15 * 60_000;
/** Milliseconds without a line after which a connection has stalled. The server sends one every 15 s. */
const stalledAfter = 60_000;

/** A build to publish. */
export interface SentBuild {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly changelog: Changelog;
}

/**
 * Makes a call on a release server. If the connection is lost, it follows the call that runs there, and never starts it a second
 * time. Throws a {@link ReleaseError} if the server refuses the call, and an {@link IncompleteChange} if its result is lost.
 *
 * @param progress gets pieces of what the call prints on stderr
 */
export async function callServer(
  server: RemoteServer,
  words: readonly string[],
  build: SentBuild | undefined,
  progress: (text: string) => void,
): Promise<CallResult> {
  const address = `${server.url}/calls/${await readInstance(server)}/${randomUUID()}`;
  const body = bodyOf(words, build);
  let isSent = false;
  let isStarted = false;
  let received = 0;
  let lastContact = Date.now();
  let problem: unknown;
  while (Date.now() - lastContact < giveUpAfter) {
    const authorization = `Bearer ${await readAccessToken(server)}`;
    const connection = new AbortController();
    const timer = setTimeout(() => connection.abort(new Error('The connection stalled.')), stalledAfter);
    try {
      const response = await fetch(`${address}?from=${received}`, {
        ...(isStarted ? { method: 'GET' } : { method: 'PUT', body }),
        headers: { Authorization: authorization },
        redirect: 'error',
        signal: connection.signal,
      });
      if (response.status === 429) {
        problem = await refusalOf(response);
        await delay(busyInterval);
        continue;
      }
      // A proxy answers with these while the server is being started.
      if (response.status >= 502) throw new Error(`The server answers with ${response.status}.`);
      if (!response.ok) {
        const refused = await refusalOf(response);
        // The server refuses a call only before it starts. It answers otherwise if it does not know what has run.
        throw isSent && response.status !== 400 && response.status !== 403
          ? lostResult(refused.message, refused)
          : refused;
      }
      isStarted = true;
      lastContact = Date.now();
      for await (const line of linesOf(response)) {
        timer.refresh();
        lastContact = Date.now();
        if (line === '') continue;
        received += 1;
        const event = callEvent.parse(JSON.parse(line));
        if ('exitCode' in event) return event;
        progress(event.progress);
      }
    } catch (error) {
      if (error instanceof ReleaseError) throw error;
      problem = error;
    } finally {
      clearTimeout(timer);
      connection.abort();
    }
    isSent = true;
    await delay(retryInterval);
  }
  if (!isSent && problem instanceof ReleaseError) throw problem;
  throw lostResult(`${server.url} does not answer any more: ${causeOf(problem)}`, problem);
}

/** Names the process of the server, so that another one never starts a call a second time. */
async function readInstance({ url }: RemoteServer): Promise<string> {
  try {
    const response = await fetch(`${url}/health`, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    return health.parse(await response.json()).instance;
  } catch (cause) {
    throw new ReleaseError(
      `The release server at ${url} does not answer: ${causeOf(cause)} Nothing was changed. Check RELEASE_URL, or try again in a minute.`,
      { cause },
    );
  }
}

/** The header line, and the bytes of the files in its order. */
function bodyOf(words: readonly string[], build: SentBuild | undefined): Blob {
  const files = [...(build?.files ?? [])];
  const header: CallHeader = {
    words: [...words],
    ...(build && {
      build: {
        changelog: build.changelog,
        files: files.map(([name, bytes]) => ({ name, size: bytes.length })),
      },
    }),
  };
  return new Blob([`${JSON.stringify(header)}\n`, ...files.map(([, bytes]) => new Uint8Array(bytes))]);
}

async function refusalOf(response: Response): Promise<ReleaseError> {
  const { message, exitCode } = refusal.parse(await response.json());
  return exitCode === 2 ? new UsageError(message) : new ReleaseError(message);
}

function lostResult(message: string, cause?: unknown): IncompleteChange {
  return new IncompleteChange(
    `${message} The result of the call is lost. A change may be committed: run "status" before you repeat the command.`,
    { cause },
  );
}

/** Complete lines of an answer. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** `fetch` says why it failed only in the cause of its error. */
function causeOf(error: unknown): string {
  return errorMessage(error instanceof TypeError && error.cause ? error.cause : error);
}
