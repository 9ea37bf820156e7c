import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { formTokenPath, idempotencyKeyHeader } from '@countersign/contracts/lead';

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
  /** All requests except those for a form token. */
  readonly requests: readonly ReceivedRequest[];
  readonly tokenRequests: readonly ReceivedRequest[];
  /** A received lead. */
  lead(index?: number): unknown;
  /** Sets the response of further requests. Initially every lead is accepted. */
  respondWith(answer: StubResponse): void;
  /** Sets the response of further token requests. `undefined`: no response. */
  respondToTokensWith(answer: StubResponse | undefined): void;
  /** Holds responses to lead or token requests until the returned function is called. */
  holdResponses(what?: 'leads' | 'tokens'): () => void;
}

/** Requests and responses of one test. */
const initialState = () => ({
  received: { leads: [] as ReceivedRequest[], tokens: [] as ReceivedRequest[] },
  answers: {
    leads: { status: 201, body: JSON.stringify({ message: 'Thank you, we have your message.' }) },
    tokens: { status: 200, body: JSON.stringify({ token: 'token-of-the-site' }) },
  } as { leads: StubResponse; tokens: StubResponse | undefined },
  held: { leads: Promise.resolve(), tokens: Promise.resolve() },
  credentials: undefined as RequestCredentials | undefined,
});

async function receive(request: IncomingMessage, { received, credentials }: ReturnType<typeof initialState>) {
  const { method, url: path, headers } = request;
  const body = await text(request);
  const what = path === formTokenPath ? 'tokens' : 'leads';
  received[what].push({
    method,
    path,
    contentType: headers['content-type'],
    credentials,
    idempotencyKey: headers[idempotencyKeyHeader.toLowerCase()]?.toString(),
    body,
  });
  return what;
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
      const what = await receive(request, current);
      await current.held[what];
      const answer = current.answers[what];
      if (answer) response.writeHead(answer.status, answer.statusText).end(answer.body);
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
      return state.received.leads;
    },
    get tokenRequests() {
      return state.received.tokens;
    },
    lead: (index = 0) => JSON.parse(state.received.leads[index]?.body ?? ''),
    respondWith: (answer) => void (state.answers.leads = answer),
    respondToTokensWith: (answer) => void (state.answers.tokens = answer),
    holdResponses(what = 'leads') {
      const released = new EventEmitter();
      state.held[what] = once(released, 'release').then(() => undefined);
      return () => void released.emit('release');
    },
  };
}
