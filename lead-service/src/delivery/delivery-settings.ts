import { brand } from '@countersign/contracts/brand';
import { leadFields } from '@countersign/contracts/lead';
import { isLoopbackHost } from '@countersign/contracts/program';
import { parsed, text, wholeNumber } from '@countersign/contracts/settings';
import addressparser from 'nodemailer/lib/addressparser';
import * as z from 'zod';
import { list } from '../platform/settings.ts';
import { webhook, webhookSecret } from './webhooks/webhook-settings.ts';

const domain = `${brand.toLowerCase()}.example`;
const exampleSender = `${brand} <hello@${domain}>`;
const exampleSales = `sales@${domain}`;

const mailAddress = () =>
  text().pipe(parsed(parseMailAddress, `must be one e-mail address, such as "${exampleSender}".`));

const salesAddressOf = (leads: string) =>
  mailAddress()
    .optional()
    .meta({
      description: `Address that receives the mails about ${leads} instead`,
      shown: '`SALES_ADDRESS`',
    });

export const deliverySettings = z.object({
  SMTP_URL: parsed((value) => {
    const url = URL.parse(value);
    return url !== null && ['smtp:', 'smtps:'].includes(url.protocol) ? url : undefined;
  }, 'must look like smtps://user:password@host:465. Correct or remove it.')
    .optional()
    .describe(
      '`smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS, which is required unless the host is loopback. Without it, the service writes mail as `.eml` files to `DATA_DIR/mails`. With a wrong host, [mails wait](operation.md#deliveries)',
    ),
  SMTP_ALLOW_PLAIN: z
    .enum(['true', 'false'], 'must be true or false.')
    .default('false')
    .describe(
      '`true` permits mail without TLS or with any certificate: credentials and leads can be read on the network',
    ),
  MAIL_FROM: mailAddress()
    .optional()
    .meta({ description: 'Sender of all mail; required with `SMTP_URL`', shown: `\`${exampleSender}\`` }),
  SALES_ADDRESS: mailAddress()
    .optional()
    .meta({
      description: 'Address that receives the mails about leads; required with `SMTP_URL`',
      shown: `\`${exampleSales}\``,
    }),
  SALES_ADDRESS_TRIAL: salesAddressOf('trials'),
  SALES_ADDRESS_DEMO: salesAddressOf('demos'),
  SALES_ADDRESS_CONTACT: salesAddressOf('messages'),
  WEBHOOKS: list(webhook)
    .default([])
    .describe(
      '`crm=https://crm.example/hook,slack:chat=https://…`: lower-case names with their URLs, and [other formats](api.md#webhooks)',
    ),
  WEBHOOK_SECRETS: list(webhookSecret)
    .default([])
    .describe(
      '`crm=whsec_…`: required for each name without a format, `whsec_` and base64 of 24 to 64 bytes. For a key rotation, name an endpoint several times: each of its secrets signs',
    ),
  DELIVERY: z
    .enum(['on', 'off'], 'must be on or off.')
    .default('on')
    .describe('`off`: this instance accepts leads and delivers none'),
  DELIVERY_LEASE_SECONDS: wholeNumber(1, 3_600)
    .default(60)
    .describe(
      'Lease of a delivery, in seconds; another instance may claim it after that. An attempt takes at most half of the lease',
    ),
});

type DeliverySettings = z.output<typeof deliverySettings>;

/** Settings that contradict each other, as sentences. */
export function mistakesInDelivery(values: DeliverySettings): string[] {
  const mistakes: string[] = [];
  // So that no mail reaches the example addresses by mistake.
  for (const [name, example] of [
    ['MAIL_FROM', exampleSender],
    ['SALES_ADDRESS', exampleSales],
  ] as const) {
    if (!values.SMTP_URL || values[name] !== undefined) continue;
    mistakes.push(`${name} is missing. With SMTP_URL it must be set, such as "${example}".`);
  }
  if (new Set(values.WEBHOOKS.map(({ name }) => name)).size < values.WEBHOOKS.length) {
    mistakes.push('WEBHOOKS contains a name twice. Give each endpoint a name of its own.');
  }
  for (const { name, format } of values.WEBHOOKS) {
    if (format || values.WEBHOOK_SECRETS.some((secret) => secret.name === name)) continue;
    mistakes.push(
      `WEBHOOK_SECRETS has no secret of "${name}". Add "${name}=whsec_" and the output of "openssl rand -base64 32".`,
    );
  }
  for (const { name } of values.WEBHOOK_SECRETS) {
    if (values.WEBHOOKS.some((endpoint) => endpoint.name === name)) continue;
    mistakes.push(
      `WEBHOOK_SECRETS names "${name}", which WEBHOOKS lacks. Correct the name, or remove the secret.`,
    );
  }
  return mistakes;
}

export type DeliveryConfig = ReturnType<typeof deliveryConfig>;

export function deliveryConfig(values: DeliverySettings) {
  const { SMTP_URL, SALES_ADDRESS = exampleSales } = values;
  return {
    enabled: values.DELIVERY === 'on',
    leaseSeconds: values.DELIVERY_LEASE_SECONDS,
    mail: {
      smtpUrl: SMTP_URL?.href,
      /** Whether a connection that begins without TLS must upgrade with STARTTLS before it sends anything. */
      requireTls: values.SMTP_ALLOW_PLAIN === 'false' && !isLoopbackHost(SMTP_URL?.host),
      from: values.MAIL_FROM ?? exampleSender,
      salesAddresses: {
        trial: values.SALES_ADDRESS_TRIAL ?? SALES_ADDRESS,
        demo: values.SALES_ADDRESS_DEMO ?? SALES_ADDRESS,
        contact: values.SALES_ADDRESS_CONTACT ?? SALES_ADDRESS,
      },
    },
    webhooks: values.WEBHOOKS.map(({ name, url, format }) => ({
      ...{ name, url, format },
      /** All of them sign, during a rotation. Slack and HubSpot need none. */
      secrets: values.WEBHOOK_SECRETS.flatMap((secret) => (secret.name === name ? [secret.secret] : [])),
    })),
  };
}

/**
 * Accepts the addresses that visitors may type, and those of a closed network, whose domains have no dot. Converts the domain to ASCII
 * like theirs, because it becomes part of the `Message-ID`.
 */
function parseMailAddress(value: string): string | undefined {
  const [{ address = '' } = {}, ...others] = addressparser(value, { flatten: true });
  const { email } = leadFields.shape;
  const inClosedNetwork = () => email.safeParse(`${address}.internal`).data?.replace(/\.internal$/, '');
  const valid = email.safeParse(address).data ?? inClosedNetwork();
  return others.length > 0 || valid === undefined ? undefined : value.replaceAll(address, () => valid);
}
