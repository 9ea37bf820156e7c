import { createHmac } from 'node:crypto';

interface UnsignedWebhook {
  /** The same for every attempt. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
  /** Each as `whsec_` and base64. During a key rotation there are two. */
  readonly secrets: readonly string[];
}

/** Signature headers of a webhook, as defined by https://www.standardwebhooks.com. */
export function signWebhook({ id, sentAt, body, secrets }: UnsignedWebhook): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1_000);
  const sign = (secret: string) =>
    createHmac('sha256', webhookKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}

export function webhookKey(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}
