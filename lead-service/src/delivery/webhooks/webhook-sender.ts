import type { LeadRow } from '../../database/tables.ts';
import { limitAttempt } from '../attempt-limit.ts';
import {
  delivered,
  failed,
  failureReason,
  unanswered,
  type LeasedDelivery,
  type AttemptResult,
} from '../attempt-result.ts';
import { postWebhook, PrivateAddress, type WebhookAnswer } from './post-webhook.ts';
import { resolveHost, type Resolve } from './public-address.ts';
import { signWebhook } from './sign-webhook.ts';
import type { WebhookConfig } from './webhook-config.ts';

export type SendWebhook = (
  delivery: LeasedDelivery,
  lead: LeadRow,
  signal: AbortSignal,
) => Promise<AttemptResult>;

interface WebhookSenderOptions {
  /** Milliseconds for a whole attempt, from the DNS lookup to the end of the answer. */
  readonly timeout: number;
  readonly resolve?: Resolve;
}

export function createWebhookSender(
  { endpoints, allowPrivate }: WebhookConfig,
  { timeout, resolve = resolveHost }: WebhookSenderOptions,
): SendWebhook {
  return async ({ id, target }, lead, interruption) => {
    const endpoint = endpoints.find(({ name }) => name === target);
    if (endpoint === undefined) return unanswered('No endpoint has this name. Add it to WEBHOOKS.');
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
        limit,
      });
      return classify(answer);
    } catch (error) {
      if (limit.isOver) return unanswered(`No answer within ${timeout / 1_000} s.`);
      return unanswered(error instanceof PrivateAddress ? error.message : failureReason(error));
    }
  };
}

/** Any answer outside of 2xx is a failure. 410 is permanent: the receiver wants no more webhooks. */
function classify({ status, text }: WebhookAnswer): AttemptResult {
  if (status >= 200 && status < 300) return delivered(text, status);
  const gone = 410;
  return failed(text, status, status === gone);
}

/** Body of a webhook: `{ "type": "lead.created", "timestamp": …, "data": { … } }`, the same for every attempt. */
function webhookBody(lead: LeadRow): string {
  const { id, type, name, email, company, message, receivedAt, spamScore } = lead;
  return JSON.stringify({
    type: 'lead.created',
    timestamp: receivedAt,
    data: {
      ...{ id, type, name, email, company, message, receivedAt },
      attribution: JSON.parse(lead.attribution) as unknown,
      spam: { score: spamScore, reasons: JSON.parse(lead.spamReasons) as unknown },
    },
  });
}
