import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { answerWithBoard } from '../server/board-server.ts';
import { errorMessage } from '../store/file-error.ts';
import { ReleaseError, UsageError } from '../store/release-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Call } from './call.ts';
import type { CallHeader } from './call-messages.ts';
import { HttpError } from './http-error.ts';
import type { Identify, Identity } from './identity.ts';
import { readCall } from './read-call.ts';
import type { ReceivedCall, RunningCalls } from './running-calls.ts';

/** Milliseconds between two empty lines of an answer, so that no proxy takes the connection for dead. */
const keepAliveInterval = 15_000;
/** Milliseconds in which a client must send its build. */
const uploadTimeout = 600_000;
/** Milliseconds without a byte after which a connection is closed. */
const idleTimeout = 60_000;
/** Milliseconds in which the headers of a request, and then the first line of a call, must arrive. */
const headerTimeout = 10_000;
const maxConnections = 500;

/** Milliseconds for which a refused body is read, so that its client gets the answer. */
const refusedTimeout = 20_000;

const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const callPath = /^\/calls\/([\w-]{36})\/([\w-]{36})$/;

interface Services {
  readonly identify: Identify;
  readonly calls: RunningCalls;
  /** Of the store, which has the board. */
  readonly objects: ObjectStore;
  /** Throws a `ReleaseError` if the releaser may not make this call, or if no release server runs it. */
  accept(header: CallHeader, identity: Identity): Promise<Accepted>;
  /** Is told of each unexpected error. */
  warn(message: string): void;
}

/** Completes a call of which the files have been received. */
type Accepted = (folder: string) => ReceivedCall;

/**
 * `PUT /calls/<instance>/<key>` starts a call, or follows the one with this key. `GET` only follows. Both answer with lines of
 * `call-messages.ts`, from the event `?from=` on. `GET /health` says which instance this is. All else is the board, for clients
 * with a token.
 */
export function createReleaseServer(services: Services, headersTimeout = headerTimeout): Server {
  const instance = randomUUID();
  const connectionsCheckingInterval = headersTimeout / 5;
  const timeouts = { headersTimeout, requestTimeout: uploadTimeout, connectionsCheckingInterval };
  const server = createServer(timeouts, (request, response) => {
    let identity: Identity | undefined;
    // Slow bodies of strangers would use up the connections.
    response.once('finish', () => {
      if (!identity && !request.complete) request.destroy();
    });
    const work = async (): Promise<void> => {
      const [path = '', query = ''] = request.url?.split('?') ?? [];
      const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      if (path === '/health') {
        // A client learns here that its token is wrong, before it sends a build.
        if (bearer !== undefined) identity = await services.identify(bearer);
        if (bearer !== undefined && !identity) throw unknownToken();
        return answerJson(response, 200, { instance });
      }
      const [, wanted, key] = callPath.exec(path) ?? [];
      identity = await services.identify(bearer ?? '');
      if (!identity) throw unknownToken();
      if (key === undefined) return answerWithBoard(services.objects, request, response);
      if (wanted !== instance) throw new HttpError(410, 'The release server was started again.');
      const from = new URLSearchParams(query).get('from') ?? '0';
      if (!/^\d{1,9}$/.test(from))
        throw new HttpError(400, 'The value of "from" must be a number of events.');
      const call = await openCall(services, key, identity, request);
      // Not read yet if the call was known.
      request.resume();
      await follow(call, Number(from), response);
    };
    work().catch((error: unknown) => void answerError(services, error, request, response, identity));
  });
  server.timeout = idleTimeout;
  server.maxConnections = maxConnections;
  return server;
}

function unknownToken(): HttpError {
  return new HttpError(401, 'The release server does not know this token. Set RELEASE_TOKEN to a valid one.');
}

function openCall(
  { calls, accept }: Services,
  key: string,
  identity: Identity,
  request: IncomingMessage,
): Promise<Call> {
  if (request.method !== 'PUT') return calls.find(key, identity);
  return calls.open(key, identity, async (folder, admit) => {
    // Without destroying the request, because its answer may be a refusal.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    const timer = setTimeout(() => request.destroy(), headerTimeout);
    const complete = await readCall(body, folder, async (header) => {
      clearTimeout(timer);
      const accepted = await accept(header, identity);
      admit();
      return accepted;
    }).finally(() => clearTimeout(timer));
    return complete(folder);
  });
}

async function follow(call: Call, from: number, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'application/x-ndjson',
    // A server that stops waits for its connections.
    Connection: 'close',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const timer = setInterval(() => response.write('\n'), keepAliveInterval);
  response.once('close', () => clearInterval(timer));
  const lines = async function* () {
    for await (const event of call.follow(from)) yield `${JSON.stringify(event)}\n`;
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
  identity: Identity | undefined,
): Promise<void> {
  // Clients read the answer only after they have sent all.
  const isCut = identity !== undefined && !(await isReceived(request));
  if (isCut || response.headersSent) return void response.destroy();
  const known = error instanceof HttpError || error instanceof ReleaseError;
  if (!known) warn(errorMessage(error));
  const status = error instanceof HttpError ? error.status : statusOf(error);
  const message = known ? error.message : 'The release server cannot do this now. Try again in a minute.';
  const exitCode = error instanceof ReleaseError ? error.exitCode : 1;
  answerJson(response, status, { message, exitCode });
}

/** Reads the rest of a request. Resolves to false if it takes too long. */
function isReceived(request: IncomingMessage): Promise<boolean> {
  request.resume();
  return finished(request, { writable: false, signal: AbortSignal.timeout(refusedTimeout) }).then(
    () => true,
    () => false,
  );
}

function statusOf(error: unknown): number {
  if (error instanceof UsageError) return 400;
  return error instanceof ReleaseError ? 403 : 503;
}

function answerJson(response: ServerResponse, status: number, content: unknown): void {
  response
    .writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
    .end(`${JSON.stringify(content)}\n`);
}
