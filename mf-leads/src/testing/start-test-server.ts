import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
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

export interface TestServer {
  /** All requests except those for a form token. */
  readonly requests: readonly ReceivedRequest[];
  readonly tokenRequests: readonly ReceivedRequest[];
  /** Sets the response of further requests. Initially every lead is accepted. */
  respondWith(answer: StubResponse): void;
  /** Sets the response of further token requests. `undefined`: no response. */
  respondToTokensWith(answer: StubResponse | undefined): void;
  /** Holds responses to lead or token requests until the returned function is called. */
  holdResponses(what?: 'leads' | 'tokens'): () => void;
  close(): Promise<void>;
}

/** Starts an HTTP server. Relative URLs resolve to it until it is closed. */
export async function startTestServer(): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const tokenRequests: ReceivedRequest[] = [];
  let answer: StubResponse = {
    status: 201,
    body: JSON.stringify({ message: 'Thank you, we have your message.' }),
  };
  let tokenAnswer: StubResponse | undefined = {
    status: 200,
    body: JSON.stringify({ token: 'token-of-the-site' }),
  };
  const held = { leads: Promise.resolve(), tokens: Promise.resolve() };
  let credentials: RequestCredentials | undefined;

  const server = createServer((request, response) => {
    void receive(request).then(async (isForToken) => {
      await held[isForToken ? 'tokens' : 'leads'];
      const given = isForToken ? tokenAnswer : answer;
      if (given) response.writeHead(given.status, given.statusText).end(given.body);
    });
  });

  async function receive(request: IncomingMessage): Promise<boolean> {
    const { method, url: path, headers } = request;
    const body = await text(request);
    const isForToken = path === formTokenPath;
    (isForToken ? tokenRequests : requests).push({
      method,
      path,
      contentType: headers['content-type'],
      credentials,
      idempotencyKey: headers[idempotencyKeyHeader.toLowerCase()]?.toString(),
      body,
    });
    return isForToken;
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const networkFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    credentials = init?.credentials;
    return networkFetch(new URL(input as string | URL, origin), init);
  };

  return {
    requests,
    tokenRequests,
    respondWith: (next) => void (answer = next),
    respondToTokensWith: (next) => void (tokenAnswer = next),
    holdResponses(what = 'leads') {
      let release: (() => void) | undefined;
      held[what] = new Promise((resolve) => {
        release = resolve;
      });
      return () => release?.();
    },
    async close() {
      globalThis.fetch = networkFetch;
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
