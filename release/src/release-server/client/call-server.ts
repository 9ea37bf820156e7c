import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../store/file-error.ts';
import { hasErrorCode } from '../../store/is-missing-file.ts';
import { IncompleteChange, ReleaseError } from '../../store/release-error.ts';
import {
  callEvent,
  health,
  refusal,
  type CallBody,
  type CallEvent,
  type CallResult,
} from '../call-messages.ts';
import { readAccessToken, type RemoteServer } from './access-token.ts';

/** Milliseconds between two attempts to connect. */
const retryInterval = 500;
/** Milliseconds between two attempts to start a call while the server takes none. */
const busyInterval = 5_000;
/** Milliseconds without an answer after which the client gives up. Less than the server keeps results for. */
const giveUpAfter = 15 * 60_000;
/** Milliseconds without a line after which a connection has stalled. The server sends one every 15 s. */
const stalledAfter = 60_000;
/** Bytes per millisecond. A slower upload has stalled. */
const slowestUpload = 20;
/** Statuses of refusals that show that no earlier request has started the call either. */
const neverStarted: readonly number[] = [400, 403, 429];
/** Of those that end by themselves. */
const busy: readonly number[] = [429, 503];

/** A build to publish. */
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
  words: readonly string[],
  build: SentBuild | undefined,
  progress: (text: string) => void,
): Promise<CallResult> {
  const address = `${server.url}/calls/${await readInstance(server)}/${randomUUID()}`;
  return new RemoteCall(server, address, bodyOf(words, build), progress).run();
}

class RemoteCall {
  readonly #server: RemoteServer;
  readonly #address: string;
  readonly #body: string;
  readonly #progress: (text: string) => void;
  /** Whether the call may run: a request for it has been sent and was not refused. */
  #isSent = false;
  /** Number of events that were received. */
  #received = 0;
  #lastContact = Date.now();

  constructor(server: RemoteServer, address: string, body: string, progress: (text: string) => void) {
    this.#server = server;
    this.#address = address;
    this.#body = body;
    this.#progress = progress;
  }

  async run(): Promise<CallResult> {
    let problem: unknown;
    while (Date.now() - this.#lastContact < giveUpAfter) {
      try {
        const result = await this.#ask();
        if (result) return result;
      } catch (error) {
        if (error instanceof Refusal && !busy.includes(error.status)) throw this.#toError(error);
        // Without a token.
        if (error instanceof ReleaseError && !this.#isSent) throw error;
        problem = error;
      }
      await delay(this.#isSent ? retryInterval : busyInterval);
    }
    throw this.#toError(new ReleaseError(`${this.#server.url} does not answer: ${causeOf(problem)}`));
  }

  /** Resolves to the result; to `undefined` if the connection ends before it. */
  async #ask(): Promise<CallResult | undefined> {
    const headers = { Authorization: `Bearer ${await readAccessToken(this.#server)}` };
    const wasSent = this.#isSent;
    const connection = new AbortController();
    const stall = () => connection.abort(new Error('The connection stalled.'));
    let timer = setTimeout(stall, stalledAfter + this.#body.length / slowestUpload);
    try {
      this.#isSent = true;
      const { signal } = connection;
      const request = { method: 'PUT', body: this.#body, headers, redirect: 'manual', signal } as const;
      const response = await fetch(this.#address, request);
      clearTimeout(timer);
      timer = setTimeout(stall, stalledAfter);
      if (!response.ok) {
        const refused = await readRefusal(this.#server, response);
        this.#isSent = wasSent && !neverStarted.includes(response.status);
        throw refused;
      }
      const type = response.headers.get('Content-Type');
      if (type !== 'application/x-ndjson') throw new Error(`it answers with ${type}, which is no result.`);
      return await this.#follow(response, timer);
    } catch (error) {
      if (error instanceof TypeError && hasErrorCode(error.cause, 'ECONNREFUSED')) this.#isSent = wasSent;
      throw error;
    } finally {
      clearTimeout(timer);
      connection.abort();
    }
  }

  /** Reads an answer, which has all events of the call, and prints those that are new. */
  async #follow(response: Response, timer: NodeJS.Timeout): Promise<CallResult | undefined> {
    let count = 0;
    for await (const line of linesOf(response)) {
      timer.refresh();
      this.#lastContact = Date.now();
      if (line === '') continue;
      const event = this.#parse(line);
      if ('exitCode' in event) return event;
      count += 1;
      if (count <= this.#received) continue;
      this.#received = count;
      this.#progress(event.progress);
    }
    return undefined;
  }

  /** Throws a {@link Refusal} if the line is none of a release server, because it would be the same again. */
  #parse(line: string): CallEvent {
    try {
      return callEvent.parse(JSON.parse(line));
    } catch (cause) {
      const message = `${this.#server.url} answers with a line that this release command does not understand. Use the same version as the server.`;
      throw new Refusal(message, 200, 1, { cause });
    }
  }

  /** The error of a call without a result. */
  #toError(error: ReleaseError): ReleaseError {
    if (!this.#isSent) return error;
    return new IncompleteChange(
      `${error.message} The result of the call is lost. A change may be committed: run "status" before you repeat the command.`,
      { cause: error },
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
    if (!response.ok) throw await readRefusal(server, response);
    return health.parse(await response.json()).instance;
  } catch (cause) {
    if (cause instanceof ReleaseError) throw cause;
    throw new ReleaseError(
      `The release server at ${url} does not answer: ${causeOf(cause)} Nothing was changed. Check RELEASE_URL, or try again in a minute.`,
      { cause },
    );
  }
}

function bodyOf(words: readonly string[], build: SentBuild | undefined): string {
  const files = [...(build?.files ?? [])].map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString('base64')] as const,
  );
  const body: CallBody = {
    words: [...words],
    ...(build && { build: { commit: build.commit, files: Object.fromEntries(files) } }),
  };
  return JSON.stringify(body);
}

/** An answer that ends the attempts, unless the server is busy. */
class Refusal extends ReleaseError {
  readonly status: number;
  override readonly exitCode: number;

  constructor(message: string, status: number, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.exitCode = exitCode;
  }
}

/** Throws if it comes from a proxy whose release server may be back soon. */
async function readRefusal({ url }: RemoteServer, response: Response): Promise<Refusal> {
  const { status } = response;
  const found = refusal.safeParse(await response.json().catch(() => undefined)).data;
  if (!found && status >= 500) throw new Error(`it answers with the status ${status}.`);
  const { message, exitCode } = found ?? {
    message: `${url} answers with the status ${status}, as no release server does. Check RELEASE_URL.`,
    exitCode: 1,
  };
  return new Refusal(message, status, exitCode);
}

/** Complete lines of an answer. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    const [end = '', ...lines] = decoder.decode(piece, { stream: true }).split('\n');
    rest += end;
    for (const line of lines) {
      yield rest;
      rest = line;
    }
  }
}

/** `fetch` says why it failed only in the cause of its error. */
function causeOf(error: unknown): string {
  return errorMessage(error instanceof TypeError && error.cause ? error.cause : error);
}
