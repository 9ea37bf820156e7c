import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { finished } from 'node:stream/promises';
import { errorMessage, hasErrorCode } from '../platform/errors.ts';
import { HttpError, ReleaseError, UsageError } from '../platform/release-error.ts';
import { callHeader, protocol, sentCall, outdatedClient, type SentCall } from './call-messages.ts';
import type { Identify } from './identity.ts';
import type { ReceivedCall, RunningCalls } from './running-calls.ts';

/** Milliseconds in which a client must send its build. */
const requestTimeout = 600_000;
/** Milliseconds without a byte after which a connection is closed. */
const idleTimeout = 60_000;
/** Milliseconds in which the headers of a request must arrive. */
const defaultHeadersTimeout = 10_000;
const maxConnections = 500;

const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const callPath = /^\/calls\/([\w-]{36})\/([\w-]{36})(?:\/(\d{1,9}))?$/;

interface Services {
  readonly identify: Identify;
  readonly calls: RunningCalls;
  /** Answers all requests that are no calls. */
  readonly answerWithBoard: RequestListener;
  /** The effects that the call can have. Throws a `ReleaseError` if the releaser may not make it, or if no release server runs it. */
  accept(call: SentCall, releaser: string): Pick<ReceivedCall, 'isLongRunning' | 'mayChange'>;
  /** Is told of each unexpected error. */
  warn(message: string): void;
}

/**
 * `POST /calls/<instance>/<key>` starts a call. `GET /calls/<instance>/<key>/<characters>` answers with its state, see
 * {@link RunningCalls}. `GET /health` says which instance this is. All else is the board, for clients with a token.
 */
export function createReleaseServer(services: Services, headersTimeout = defaultHeadersTimeout): Server {
  const instance = randomUUID();

  /** The answer to a releaser; `undefined` if the request is no call. */
  async function answerTo(releaser: string, request: IncomingMessage): Promise<object | undefined> {
    const [, wanted, key, characters] = callPath.exec(request.url ?? '') ?? [];
    if (key === undefined) return undefined;
    // Clients of the first protocol.
    if (request.method === 'PUT') throw new UsageError(outdatedClient);
    if (wanted !== instance) throw new HttpError(410, 'The release server was started again.');
    if (request.method !== 'POST') {
      const call = await services.calls.open(key, releaser);
      return await call.stateAfter(Number(characters));
    }
    const sent = readCall(request);
    const accepted = services.accept(sent, releaser);
    await services.calls.open(key, releaser, { ...sent, ...accepted, releaser, body: request });
    return {};
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    /** Releaser of the token; `undefined` until it is known. */
    let releaser: string | undefined;
    // Slow bodies of clients without a token would use up the connections.
    response.once('finish', () => {
      if (!releaser && !request.complete) request.destroy();
    });
    try {
      const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      if (bearer !== undefined) releaser = await services.identify(bearer);
      // A client learns by `/health` that its token is wrong, before it sends a build.
      const isHealth = request.url === '/health';
      if (!releaser && (!isHealth || bearer !== undefined)) {
        throw new HttpError(
          401,
          'The release server does not know this token. Set RELEASE_TOKEN to a valid one.',
        );
      }
      const content =
        releaser === undefined || isHealth ? { instance, protocol } : await answerTo(releaser, request);
      if (content) answerJson(response, 200, content);
      else services.answerWithBoard(request, response);
    } catch (error) {
      // Clients read the answer only after they have sent all.
      if (releaser) await finished(request.resume(), { writable: false }).catch(() => undefined);
      answerError(services, error, response);
    }
  }

  // Node looks for late connections at this interval, so it closes them by a fifth too late at most.
  const timeouts = { headersTimeout, requestTimeout, connectionsCheckingInterval: headersTimeout / 5 };
  const server = createServer(timeouts, (request, response) => void answer(request, response));
  server.timeout = idleTimeout;
  server.maxConnections = maxConnections;
  return server;
}

function readCall({ headers: { [callHeader]: header } }: IncomingMessage): SentCall {
  try {
    return sentCall.parse(JSON.parse(Buffer.from(String(header), 'base64').toString()));
  } catch (cause) {
    throw new UsageError(
      'The release server does not understand this call. Use the same version of the release command as the server.',
      { cause },
    );
  }
}

function answerError({ warn }: Services, error: unknown, response: ServerResponse): void {
  // The client has gone in the middle of its build.
  if (hasErrorCode(error, 'ECONNRESET')) return void response.destroy();
  if (!(error instanceof ReleaseError)) {
    warn(errorMessage(error));
    const message = 'The release server cannot do this now. Try again in a minute.';
    return answerJson(response, 503, { message, exitCode: 1 });
  }
  const { message, exitCode } = error;
  const status = error instanceof HttpError ? error.status : error instanceof UsageError ? 400 : 403;
  answerJson(response, status, { message, exitCode });
}

function answerJson(response: ServerResponse, status: number, content: unknown): void {
  response
    .writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
    .end(`${JSON.stringify(content)}\n`);
}
