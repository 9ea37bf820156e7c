import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly contentType: string | undefined;
  /** What the page said about cookies. Node's `fetch` has none to show. */
  readonly credentials: RequestCredentials | undefined;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly statusText?: string;
  readonly body?: string;
}

export interface Site {
  readonly requests: readonly ReceivedRequest[];
  /** What the next requests get. At first, every lead is accepted. */
  answerWith(answer: Answer): void;
  /** Lets requests wait for their answer until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/** Starts an HTTP server that is the page's own origin: relative addresses lead to it until it is closed. */
export async function startSite(): Promise<Site> {
  const requests: ReceivedRequest[] = [];
  let answer: Answer = { status: 201, body: JSON.stringify({ message: 'Thank you, we have your message.' }) };
  let held: Promise<void> = Promise.resolve();
  let credentials: RequestCredentials | undefined;

  const server = createServer((request, response) => {
    void receive(request).then(async () => {
      await held;
      response.writeHead(answer.status, answer.statusText).end(answer.body);
    });
  });

  async function receive(request: IncomingMessage): Promise<void> {
    const { method, url: path, headers } = request;
    const body = await text(request);
    requests.push({ method, path, contentType: headers['content-type'], credentials, body });
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
    answerWith: (next) => void (answer = next),
    hold() {
      let release: (() => void) | undefined;
      held = new Promise((resolve) => {
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
