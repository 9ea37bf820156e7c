import type { EnvironmentReader } from '../environment-reader.ts';
import { readMailConfig, type MailConfig } from './mail/mail-config.ts';
import { readWebhookConfig, type WebhookConfig } from './webhooks/webhook-config.ts';

export interface DeliveryConfig {
  /** Whether this instance hands leads on. All of them take leads in. */
  readonly enabled: boolean;
  /** For how many seconds an instance has a delivery to itself. One that is killed in the middle is replaced then. */
  readonly leaseSeconds: number;
  readonly mail: MailConfig;
  readonly webhooks: WebhookConfig;
}

/** No instance has a delivery to itself for longer. */
export const longestLeaseSeconds = 3_600;

/** `DELIVERY`: `on` or `off`. `DELIVERY_LEASE_SECONDS`. The rest is said where mail and webhooks are read. */
export function readDeliveryConfig(reader: EnvironmentReader): DeliveryConfig {
  return {
    enabled: reader.choice('DELIVERY', ['on', 'off'], 'on') === 'on',
    leaseSeconds: reader.wholeNumber('DELIVERY_LEASE_SECONDS', {
      initial: 60,
      least: 1,
      most: longestLeaseSeconds,
    }),
    mail: readMailConfig(reader),
    webhooks: readWebhookConfig(reader),
  };
}
