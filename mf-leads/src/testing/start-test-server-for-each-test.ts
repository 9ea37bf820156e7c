import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { idempotencyKeyHeader } from '@countersign/contracts/lead';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly contentType: string | undefined;
  /** Credentials mode of the request. Node's `fetch` stores no cookies. */
  readonly credentials: RequestCredentials | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

interface StubResponse {
  readonly status: number;
  readonly statusText?: string;
  readonly body?: string;
}

/** @public Named by the declarations of what returns it. */
export interface TestServer {
  readonly requests: readonly ReceivedRequest[];
  /** A received lead. */
  lead(index?: number): unknown;
  /** Sets the response of further requests. Initially every lead is accepted. */
  respondWith(answer: StubResponse): void;
  /** Holds responses until the returned function is called. */
  holdResponses(): () => void;
}

/** Requests and responses of one test. */
const initialState = () => ({
  received: [] as ReceivedRequest[],
  answer: {
    status: 201,
    body: JSON.stringify({ message: 'Thank you, we have your message.' }),
  } as StubResponse,
  held: Promise.resolve(),
  credentials: undefined as RequestCredentials | undefined,
});

async function receive(request: IncomingMessage, { received, credentials }: ReturnType<typeof initialState>) {
  const { method, url: path, headers } = request;
  received.push({
    method,
    path,
    contentType: headers['content-type'],
    credentials,
    idempotencyKey: headers[idempotencyKeyHeader.toLowerCase()]?.toString(),
    body: await text(request),
  });
}

/** Starts a new HTTP server for each test of a file. Relative URLs resolve to it. */
export function startTestServerForEachTest(): TestServer {
  const networkFetch = globalThis.fetch;
  let server: Server;
  let state = initialState();
  beforeEach(async () => {
    const current = initialState();
    state = current;
    server = createServer(async (request, response) => {
      await receive(request, current);
      await current.held;
      const { status, statusText, body } = current.answer;
      response.writeHead(status, statusText).end(body);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    globalThis.fetch = (input, init) => {
      current.credentials = init?.credentials;
      return networkFetch(new URL(input as string | URL, origin), init);
    };
  });
  afterEach(async () => {
    // Tests of the data layer run without jsdom.
    if ('sessionStorage' in globalThis) sessionStorage.clear();
    globalThis.fetch = networkFetch;
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return {
    get requests() {
      return state.received;
    },
    lead: (index = 0) => JSON.parse(state.received[index]?.body ?? ''),
    respondWith: (answer) => void (state.answer = answer),
    holdResponses() {
      const released = new EventEmitter();
      state.held = once(released, 'release').then(() => undefined);
      return () => void released.emit('release');
    },
  };
}
