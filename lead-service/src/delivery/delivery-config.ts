import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { choice, wholeNumber } from '@countersign/environment/variables';
import { readMailConfig, type MailConfig } from './mail/mail-config.ts';
import { readWebhookConfig, type WebhookEndpoint } from './webhooks/webhook-config.ts';

export interface DeliveryConfig {
  /** Whether this instance delivers leads. Every instance accepts leads. */
  readonly enabled: boolean;
  /** Lease of a delivery, in seconds. Another instance claims the delivery after that, if this one was killed. */
  readonly leaseSeconds: number;
  readonly mail: MailConfig;
  readonly webhooks: readonly WebhookEndpoint[];
}

/** Upper limit of a lease. */
const maxLeaseSeconds = 3_600;

export const deliveryVariables = {
  DELIVERY: choice('`off`: this instance accepts leads and delivers none', ['on', 'off'], 'on'),
  DELIVERY_LEASE_SECONDS: wholeNumber(
    'Lease of a delivery, in seconds; another instance may claim it after that. An attempt takes at most half of the lease',
    { initial: 60, min: 1, max: maxLeaseSeconds },
  ),
};

export function readDeliveryConfig(reader: EnvironmentReader): DeliveryConfig {
  const { DELIVERY, DELIVERY_LEASE_SECONDS } = reader.read(deliveryVariables);
  return {
    enabled: DELIVERY === 'on',
    leaseSeconds: DELIVERY_LEASE_SECONDS,
    mail: readMailConfig(reader),
    webhooks: readWebhookConfig(reader),
  };
}
