import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../platform/file-error.ts';
import { hasErrorCode } from '../../platform/is-missing-file.ts';
import { IncompleteChange, ReleaseError } from '../../platform/release-error.ts';
import {
  callEvent,
  health,
  refusal,
  type CallBody,
  type CallEvent,
  type CallResult,
} from '../call-messages.ts';
import { readAccessToken, type RemoteServer } from './access-token.ts';

/** Milliseconds between two requests for a call. Each sends the build. */
const retryInterval = 2_000;
/** Milliseconds without an answer after which the client gives up. Less than the server keeps results for. */
const giveUpAfter = 15 * 60_000;
/** Milliseconds without a line after which a connection has stalled. The server sends one every 15 s. */
const stalledAfter = 60_000;
/** Bytes per millisecond. A slower upload has stalled. */
const slowestUpload = 20;
/** Statuses with which the server refuses new calls only, so no earlier request has started this one either. */
const neverStarted: readonly number[] = [400, 403, 429];

export interface SentBuild {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly commit: string | undefined;
}

/**
 * Makes a call on a release server. If the connection is lost, it sends the call again, which the server starts only once. Throws
 * a {@link ReleaseError} if the server refuses the call, and an {@link IncompleteChange} if its result is lost.
 *
 * @param progress gets pieces of what the call prints on stderr
 */
export async function callServer(
  server: RemoteServer,
  args: readonly string[],
  build: SentBuild | undefined,
  progress: (text: string) => void,
): Promise<CallResult> {
  const address = `${server.url}/calls/${await readInstance(server)}/${randomUUID()}`;
  const body = bodyOf(args, build);
  /** Whether the call may run: a request for it has been sent and was not refused. */
  let isSent = false;
  /** Number of events that were received. */
  let received = 0;
  let lastContact = Date.now();

  /** Resolves to the result; to `undefined` if the connection ends before it. */
  async function ask(): Promise<CallResult | undefined> {
    const headers = { Authorization: `Bearer ${await readAccessToken(server)}` };
    const wasSent = isSent;
    const connection = new AbortController();
    const stall = () => connection.abort(new Error('The connection stalled.'));
    let timer = setTimeout(stall, stalledAfter + body.length / slowestUpload);
    try {
      isSent = true;
      const { signal } = connection;
      const response = await fetch(address, { method: 'PUT', body, headers, redirect: 'manual', signal });
      clearTimeout(timer);
      timer = setTimeout(stall, stalledAfter);
      if (!response.ok) {
        isSent = wasSent && !neverStarted.includes(response.status);
        throw await refusalOf(server, response);
      }
      const type = response.headers.get('Content-Type');
      if (type !== 'application/x-ndjson') throw new Error(`it answers with ${type}, which is no result.`);
      return await follow(response, timer);
    } catch (error) {
      if (error instanceof TypeError && hasErrorCode(error.cause, 'ECONNREFUSED')) isSent = wasSent;
      throw error;
    } finally {
      clearTimeout(timer);
      connection.abort();
    }
  }

  /** Reads an answer, which has all events of the call, and prints those that are new. */
  async function follow(response: Response, timer: NodeJS.Timeout): Promise<CallResult | undefined> {
    let count = 0;
    for await (const line of linesOf(response)) {
      timer.refresh();
      lastContact = Date.now();
      if (line === '') continue;
      const event = parseEvent(server, line);
      if ('exitCode' in event) return event;
      count += 1;
      if (count <= received) continue;
      received = count;
      progress(event.progress);
    }
    return undefined;
  }

  let problem: unknown;
  while (Date.now() - lastContact < giveUpAfter) {
    try {
      const result = await ask();
      if (result) return result;
    } catch (error) {
      // Without a token, nothing can be sent. Later, GitHub Actions may give another one.
      if (error instanceof Refusal || (error instanceof ReleaseError && !isSent))
        throw errorOf(error, isSent);
      problem = error;
    }
    await delay(retryInterval);
  }
  throw errorOf(new ReleaseError(`${server.url} does not answer: ${causeOf(problem)}`), isSent);
}

/** The error of a call without a result. */
function errorOf(error: ReleaseError, isSent: boolean): ReleaseError {
  if (!isSent) return error;
  return new IncompleteChange(
    `${error.message} The result of the call is lost. A change may be committed: run "status" before you repeat the command.`,
    { cause: error },
  );
}

/** Throws a {@link Refusal} if the line is none of a release server, because it would be the same again. */
function parseEvent({ url }: RemoteServer, line: string): CallEvent {
  try {
    return callEvent.parse(JSON.parse(line));
  } catch (cause) {
    throw new Refusal(
      `${url} answers with a line that this release command does not understand. Use the same version as the server.`,
      { cause },
    );
  }
}

/** Names the process of the server, so that another one never starts a call a second time. */
async function readInstance(server: RemoteServer): Promise<string> {
  const { url } = server;
  const headers = { Authorization: `Bearer ${await readAccessToken(server)}` };
  try {
    const response = await fetch(`${url}/health`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw await refusalOf(server, response);
    return health.parse(await response.json()).instance;
  } catch (cause) {
    if (cause instanceof ReleaseError) throw cause;
    throw new ReleaseError(
      `The release server at ${url} does not answer: ${causeOf(cause)} Nothing was changed. Check RELEASE_URL, or try again in a minute.`,
      { cause },
    );
  }
}

function bodyOf(args: readonly string[], build: SentBuild | undefined): string {
  const files = [...(build?.files ?? [])].map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString('base64')] as const,
  );
  const body: CallBody = {
    words: [...args],
    build: build && { commit: build.commit, files: Object.fromEntries(files) },
  };
  return JSON.stringify(body);
}

/** An answer that ends the attempts. */
class Refusal extends ReleaseError {
  override exitCode = 1;
}

/** The error of an answer; no {@link Refusal} if the server has too many calls, or may be back soon behind a proxy. */
async function refusalOf({ url }: RemoteServer, response: Response): Promise<Error> {
  const { status } = response;
  const { data } = refusal.safeParse(await response.json().catch(() => undefined));
  if (status === 429 || status >= 500)
    return new Error(data?.message ?? `it answers with the status ${status}.`);
  const { message, exitCode } = data ?? {
    message: `${url} answers with the status ${status}, as no release server does. Check RELEASE_URL.`,
    exitCode: 1,
  };
  return Object.assign(new Refusal(message), { exitCode });
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** `fetch` says why it failed only in the cause of its error. */
function causeOf(error: unknown): string {
  return errorMessage(error instanceof TypeError && error.cause ? error.cause : error);
}
