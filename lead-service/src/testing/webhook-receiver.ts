import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A secret as receivers know it. */
export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export interface ReceivedWebhook {
  readonly id: string;
  /** What was signed, or undefined if the signature does not hold. */
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers a webhook: with a status, in its own way, or not at all. */
export type Answer = number | ((response: ServerResponse) => void);

/** A real receiver that checks signatures with the independent package `standardwebhooks`. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedWebhook[];
  /** Answers the next ones so, one after the other; whatever comes after that is answered with 200. */
  answer(...answers: readonly Answer[]): void;
}

export async function startWebhookReceiver(secret = webhookSecret): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const answers: Answer[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({ id: headers['webhook-id'] ?? '', payload: verify(secret, body, headers), headers });
      const answer = answers.shift() ?? 200;
      if (typeof answer === 'number') response.writeHead(answer).end(`status ${answer}`);
      else answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: (...next) => void answers.push(...next),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function verify(secret: string, body: string, headers: Record<string, string>): unknown {
  try {
    return new Webhook(secret).verify(body, headers);
  } catch {
    return undefined;
  }
}
