import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { formTokenPath, idempotencyKeyHeader } from '@countersign/contracts/lead';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly contentType: string | undefined;
  /** What the page said about cookies. Node's `fetch` has none to show. */
  readonly credentials: RequestCredentials | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly statusText?: string;
  readonly body?: string;
}

export interface Site {
  /** All but those for a form token. */
  readonly requests: readonly ReceivedRequest[];
  readonly tokenRequests: readonly ReceivedRequest[];
  /** What the next requests get. At first, every lead is accepted. */
  answerWith(answer: Answer): void;
  /** What the next requests for a form token get. `undefined`: no answer at all. */
  answerTokensWith(answer: Answer | undefined): void;
  /** Lets requests wait for their answer until the returned function is called: those with a lead, or for a token. */
  hold(what?: 'leads' | 'tokens'): () => void;
  close(): Promise<void>;
}

/** Starts an HTTP server that is the page's own origin: relative addresses lead to it until it is closed. */
export async function startSite(): Promise<Site> {
  const requests: ReceivedRequest[] = [];
  const tokenRequests: ReceivedRequest[] = [];
  let answer: Answer = { status: 201, body: JSON.stringify({ message: 'Thank you, we have your message.' }) };
  let tokenAnswer: Answer | undefined = { status: 200, body: JSON.stringify({ token: 'token-of-the-site' }) };
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
    return networkFetch(new URL(String(input), origin), init);
  };

  return {
    requests,
    tokenRequests,
    answerWith: (next) => void (answer = next),
    answerTokensWith: (next) => void (tokenAnswer = next),
    hold(what = 'leads') {
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
