import type { LeadRow } from '../../store/tables.ts';
import { limitAttempt } from '../attempt-limit.ts';
import { delivered, failed, failureReason, type LeasedDelivery, type SendResult } from '../send-result.ts';
import type { WebhookConfig } from './webhook-config.ts';
import { postWebhook, PrivateAddress, type WebhookAnswer } from './post-webhook.ts';
import { resolveHost, type Resolve } from './public-address.ts';
import { signWebhook } from './sign-webhook.ts';
import { webhookBody } from './webhook-body.ts';

export type SendWebhook = (
  delivery: LeasedDelivery,
  lead: LeadRow,
  signal: AbortSignal,
) => Promise<SendResult>;

interface WebhookSenderOptions {
  /** Milliseconds for a whole attempt, from the name's resolution to the end of the answer. */
  readonly timeout: number;
  readonly resolve?: Resolve;
}

export function createWebhookSender(
  { endpoints, allowPrivate }: WebhookConfig,
  { timeout, resolve = resolveHost }: WebhookSenderOptions,
): SendWebhook {
  return async ({ id, target }, lead, interruption) => {
    const endpoint = endpoints.find(({ name }) => name === target);
    if (endpoint === undefined) return failed('No endpoint has this name. Add it to WEBHOOKS.');
    const body = webhookBody(lead);
    using limit = limitAttempt(timeout, interruption);
    try {
      const answer = await postWebhook({
        url: new URL(endpoint.url),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'lead-service',
          ...signWebhook({ id, body, sentAt: new Date(), secrets: endpoint.secrets }),
        },
        body,
        resolve,
        allowPrivate,
        signal: limit.signal,
      });
      return judge(answer);
    } catch (error) {
      if (limit.isOver) return failed(`No answer within ${timeout / 1_000} s.`);
      return failed(error instanceof PrivateAddress ? error.message : failureReason(error));
    }
  };
}

function judge({ status, text }: WebhookAnswer): SendResult {
  if (status >= 200 && status < 300) return delivered(text, status);
  const gone = 410;
  return failed(text, status, status === gone);
}
