import { Webhook } from 'standardwebhooks';
import { isTimeout, limitAttempt, type SendLead } from '../attempt-delivery.ts';
import { type AttemptResult, delivered, failed, failureReason, unanswered } from '../attempt-result.ts';
import type { DeliveryConfig } from '../delivery-settings.ts';
import { webhookBody } from './webhook-body.ts';

/** @param timeout milliseconds for a whole attempt, from the DNS lookup to the end of the answer */
export function createWebhookSender(endpoints: DeliveryConfig['webhooks'], timeout: number): SendLead {
  return async ({ id, target }, lead, interruption) => {
    const endpoint = endpoints.find(({ name }) => name === target);
    if (endpoint === undefined) return unanswered('No endpoint has this name. Add it to WEBHOOKS.');
    const body = webhookBody(lead, endpoint.format);
    const deadline = performance.now() + timeout;
    const signal = limitAttempt(timeout, interruption);
    try {
      return await post(endpoint.url, body, signatureHeaders(id, body, endpoint.secrets), deadline, signal);
    } catch (error) {
      // `fetch` wraps the error of the connection.
      const { cause = error } = error as Error;
      return unanswered(isTimeout(signal) ? `No answer within ${timeout / 1_000} s.` : failureReason(cause));
    }
  };
}

/** Signature headers, as defined by https://www.standardwebhooks.com. During a key rotation, each secret signs. */
function signatureHeaders(id: string, body: string, secrets: readonly string[]): Record<string, string> {
  const sentAt = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    ...(secrets.length > 0 && {
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
    }),
  };
}

/**
 * Does not follow redirects. Any answer outside of 2xx is a failure. 410 is permanent: the receiver wants no more webhooks. `fetch` uses
 * the proxy of the environment, as `NODE_USE_ENV_PROXY` says.
 */
async function post(
  address: string,
  body: string,
  signature: Record<string, string>,
  deadline: number,
  signal: AbortSignal,
): Promise<AttemptResult> {
  /**
   * Read once the connection is there. After a stop of the process (SIGSTOP), Node handles I/O before timers, so the signal may be
   * late.
   */
  async function* bodyInTime() {
    if (performance.now() >= deadline) throw new Error('The time for this attempt is over.');
    yield Buffer.from(body);
  }
  const answer = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'lead-service',
      // The receiver may close an idle connection at the moment of the next webhook.
      connection: 'close',
      ...signature,
    },
    body: bodyInTime(),
    duplex: 'half',
    signal,
  });
  const { status } = answer;
  const text = await beginningOf(answer);
  if (status >= 200 && status < 300) return delivered(text, status);
  const gone = 410;
  return {
    ...failed(text, status, status === gone),
    retryAfter: millisecondsOf(answer.headers.get('retry-after')),
  };
}

/** Milliseconds until the time that a `Retry-After` header names, as seconds or as a date. */
function millisecondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const milliseconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** In characters, at least as many as are stored. */
const maxAnswerLength = 1_024;

/** Reads the beginning of an answer. An error after the status line does not change the status. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.length >= maxAnswerLength) break;
    }
  } catch {
    // The status is already known.
  }
  return text.slice(0, maxAnswerLength);
}
