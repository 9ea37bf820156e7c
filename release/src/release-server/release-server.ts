import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { errorMessage } from '../platform/file-error.ts';
import { HttpError, ReleaseError, UsageError } from '../platform/release-error.ts';
import { callBody, maxCallSize, type CallBody } from './call-messages.ts';
import type { Identify } from './identity.ts';
import type { Call, ReceivedCall, RunningCalls } from './running-calls.ts';

/** Milliseconds between two empty lines of an answer, so that no proxy takes the connection for dead. */
const keepAliveInterval = 15_000;
/** Milliseconds in which a client must send its build. */
const requestTimeout = 600_000;
/** Milliseconds without a byte after which a connection is closed. */
const idleTimeout = 60_000;
/** Milliseconds in which the headers of a request must arrive. */
const defaultHeadersTimeout = 10_000;
const maxConnections = 500;

const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const callPath = /^\/calls\/([\w-]{36})\/([\w-]{36})$/;

interface Services {
  readonly identify: Identify;
  readonly calls: RunningCalls;
  /** Answers all requests that are no calls. */
  readonly answerWithBoard: RequestListener;
  /** Throws a `ReleaseError` if the releaser may not make this call, or if no release server runs it. */
  accept(body: CallBody, releaser: string): ReceivedCall;
  /** Is told of each unexpected error. */
  warn(message: string): void;
}

/**
 * `PUT /calls/<instance>/<key>` starts a call, or follows the one with this key. It answers with the lines of `call-messages.ts`.
 * `GET /health` says which instance this is. All else is the board, for clients with a token.
 */
export function createReleaseServer(services: Services, headersTimeout = defaultHeadersTimeout): Server {
  const instance = randomUUID();
  // Node looks for late connections at this interval, so it closes them by a fifth too late at most.
  const timeouts = { headersTimeout, requestTimeout, connectionsCheckingInterval: headersTimeout / 5 };
  const server = createServer(timeouts, (request, response) => {
    /** Releaser of the token; `undefined` until it is known. */
    let releaser: string | undefined;
    // Slow bodies of clients without a token would use up the connections.
    response.once('finish', () => {
      if (!releaser && !request.complete) request.destroy();
    });
    const work = async (): Promise<void> => {
      const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const isHealth = request.url === '/health';
      if (bearer !== undefined) releaser = await services.identify(bearer);
      // A client learns by `/health` that its token is wrong, before it sends a build.
      if (!releaser && (!isHealth || bearer !== undefined)) {
        throw new HttpError(
          401,
          'The release server does not know this token. Set RELEASE_TOKEN to a valid one.',
        );
      }
      if (isHealth) return answerJson(response, 200, { instance });
      const [, wanted, key] = callPath.exec(request.url ?? '') ?? [];
      if (!releaser || key === undefined || request.method !== 'PUT') {
        return services.answerWithBoard(request, response);
      }
      if (wanted !== instance) throw new HttpError(410, 'The release server was started again.');
      const caller = releaser;
      const receive = async () => services.accept(await readBody(request), caller);
      const call = await services.calls.open(key, caller, receive);
      // If the call was known, its body was not read.
      request.resume();
      await follow(call, response);
    };
    work().catch((error: unknown) => void answerError(services, error, request, response, releaser));
  });
  server.timeout = idleTimeout;
  server.maxConnections = maxConnections;
  return server;
}

async function readBody(request: IncomingMessage): Promise<CallBody> {
  try {
    // A missing length is `NaN`, and refused on purpose. The client of the same version names it, and refuses a larger build itself.
    if (!(Number(request.headers['content-length']) <= maxCallSize)) throw new Error('It is too large.');
    return callBody.parse(JSON.parse(await text(request)));
  } catch (cause) {
    throw new UsageError(
      'The release server does not understand this call. Use the same version of the release command as the server.',
      { cause },
    );
  }
}

async function follow(call: Call, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'application/x-ndjson',
    // A server that stops waits until its connections are closed.
    Connection: 'close',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const timer = setInterval(() => response.write('\n'), keepAliveInterval);
  response.once('close', () => clearInterval(timer));
  const lines = async function* () {
    for await (const event of call.follow()) yield `${JSON.stringify(event)}\n`;
  };
  try {
    await pipeline(Readable.from(lines()), response);
  } catch {
    // The client has gone. It asks again, and the call goes on.
  }
}

async function answerError(
  { warn }: Services,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  releaser: string | undefined,
): Promise<void> {
  // Clients read the answer only after they have sent all.
  if (releaser) await finished(request.resume(), { writable: false }).catch(() => undefined);
  if (response.headersSent) return void response.destroy();
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
