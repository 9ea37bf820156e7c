import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { serveLocally } from './local-server.ts';

/** A secret in the format of Standard Webhooks. */
export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

/** A status, or a function that answers the webhook or leaves it unanswered. */
type Answer = number | ((response: ServerResponse) => void);

/** Starts a real receiver that checks signatures with the independent package `standardwebhooks`. */
export async function startWebhookReceiver() {
  const received: { id: string; payload: unknown; body: string; headers: Record<string, string> }[] = [];
  const answers: Answer[] = [];
  const server = await serveLocally((request, response) => {
    void text(request).then((body) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({
        id: headers['webhook-id'] ?? '',
        payload: verify(body, headers),
        body,
        headers,
      });
      const answer = answers.shift() ?? 200;
      if (typeof answer === 'number') response.writeHead(answer).end(`status ${answer}`);
      else answer(response);
    });
  });
  return {
    ...{ ...server, url: `${server.url}hook`, received },
    /** Sets the answers to the next webhooks, in order. All later ones get 200. */
    answer: (...next: readonly Answer[]) => void answers.push(...next),
  };
}

/** The signed payload, or undefined if the signature is invalid. */
function verify(body: string, headers: Record<string, string>): unknown {
  try {
    return new Webhook(webhookSecret).verify(body, headers);
  } catch {
    return undefined;
  }
}
