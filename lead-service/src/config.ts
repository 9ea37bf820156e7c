import { resolve } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import { leadFields } from '@countersign/contracts/lead';
import { isLoopbackHost } from '@countersign/contracts/program';
import { host, mistakesIn, parsed, port, text, wholeNumber } from '@countersign/contracts/settings';
import addressparser from 'nodemailer/lib/addressparser';
import * as z from 'zod';
import { parseToken } from './admin/admin-token.ts';
import type { DatabaseLocation } from './database/database-access.ts';
import { databaseUrl } from './database/database-url.ts';
import { webhook, webhookSecret } from './delivery/webhooks/webhook-settings.ts';
import { findDataDirectory } from './platform/data-directory.ts';
import { logFormats } from './platform/log.ts';
import { StartupError } from './platform/startup-error.ts';

/** Settings of commands that work on leads next to a running service. They need none of its secrets. */
export interface AdminContextConfig {
  /** Folder of all local files of this instance. */
  readonly dataDirectory: string;
  readonly database: DatabaseLocation;
  /** Names of the webhook endpoints, for which an import of leads plans deliveries. */
  readonly webhooks: readonly string[];
  /** Days after which leads are deleted. 0: never. */
  readonly retentionDays: number;
}

const domain = `${brand.toLowerCase()}.example`;
const exampleSender = `${brand} <hello@${domain}>`;
const exampleSales = `sales@${domain}`;

const onOrOff = () => z.enum(['on', 'off'], 'must be on or off.');

/** Comma-separated values. */
function list<Item extends z.ZodType<unknown, string>>(item: Item) {
  const split = text().transform((values) => values.split(',').map((value) => value.trim()));
  return split.transform((values) => values.filter((value) => value !== '')).pipe(z.array(item));
}

const mailAddress = () =>
  text().pipe(parsed(parseMailAddress, `must be one e-mail address, such as "${exampleSender}".`));

const salesAddressOf = (leads: string) =>
  mailAddress()
    .optional()
    .meta({
      description: `Address that receives the mails about ${leads} instead`,
      shown: '`SALES_ADDRESS`',
    });

const dataDirectory = text()
  .optional()
  .transform((value, { issues }): string => {
    const found = findDataDirectory(value);
    if ('directory' in found) return found.directory;
    const [first = ''] = found.ambiguous;
    const message = `is ambiguous: leads are in ${found.ambiguous.join(' and in ')}. Set it to ${first}, or move that folder away to use the other.`;
    issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });

/**
 * All settings, which docs/lead-service/settings.md lists with `shown` in place of the default. An error message continues the name
 * of its variable: `LOG_FORMAT must be json or text.`
 */
export const settings = z.object({
  DATA_DIR: dataDirectory.meta({
    description:
      'Folder for all local data, a separate one for each instance. If it contains leads in `leads/`, as the folder of `npm start` does, the service uses that one. Relative to the repository',
    shown: '`.data/leads`',
  }),
  DATABASE_URL: databaseUrl()
    .optional()
    .describe(
      '`postgres://user:password@host:5432/database`: stores leads in PostgreSQL, with only the spool in `DATA_DIR`. One host ([failover](../operate.md#failover)). With `?sslmode=require`, the connection is encrypted and the certificate checked, against `sslrootcert=<file>` if given',
    ),
  LEADS_SECRET: text()
    .refine(
      ({ length }) => length >= 32,
      'must have at least 32 characters. Take them from "openssl rand -base64 32".',
    )
    .optional()
    .describe(
      '32 characters or more, the same for all instances; required with `DATABASE_URL`. With SQLite, the first start generates one and stores it in `DATA_DIR/secret`',
    ),
  LEADS_PORT: port().default(3001).describe('Port to listen on; `0` picks a free one'),
  LEADS_HOST: host().default('127.0.0.1').describe('Address or host name to listen on'),
  TRUSTED_PROXY_HOPS: wholeNumber(0, 16)
    .default(0)
    .describe(
      'Number of own proxies in front of the service, each of which appends to `X-Forwarded-For`. Entries that a client forges have no effect. Entries may contain ports',
    ),
  ALLOWED_ORIGINS: list(
    parsed(
      (origin) => (URL.parse(origin)?.origin === origin ? origin : undefined),
      (origin) => `must be an origin such as https://www.example.com, but is "${origin}".`,
    ),
  )
    .default([])
    .describe(
      "Comma-separated origins of other sites whose forms and scripts may send leads (CORS, without credentials). The service's own host is always allowed",
    ),
  LEADS_PER_ADDRESS: wholeNumber(0, 1_000_000)
    .default(600)
    .describe(
      'Leads that one address may send within ten minutes, to all instances together unless the database is down, and as many page reports. Its network (/24 of IPv4, /64 of IPv6) may send four times as many. `0`: no limit',
    ),
  SMTP_URL: parsed((value) => {
    const url = URL.parse(value);
    return url !== null && ['smtp:', 'smtps:'].includes(url.protocol) ? url : undefined;
  }, 'must look like smtps://user:password@host:465. Correct or remove it.')
    .optional()
    .describe(
      '`smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS, which is required unless the host is loopback. Without it, the service writes mail as `.eml` files to `DATA_DIR/mails`',
    ),
  SMTP_ALLOW_PLAIN: z
    .enum(['true', 'false'], 'must be true or false.')
    .default('false')
    .describe('`true` permits `smtp:` without TLS, where credentials and leads can be read on the network'),
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
  DELIVERY: onOrOff().default('on').describe('`off`: this instance accepts leads and delivers none'),
  DELIVERY_LEASE_SECONDS: wholeNumber(1, 3_600)
    .default(60)
    .describe(
      'Lease of a delivery, in seconds; another instance may claim it after that. An attempt takes at most half of the lease',
    ),
  ADMIN_TOKENS: list(
    // The message does not quote the entry, because it may contain the token by mistake.
    parsed(parseToken, 'must look like name:read+write:hash. Take it from "npm run leads -- token".'),
  )
    .default([])
    .describe(
      'Comma-separated `name:read+write:hash`, from `npm run leads -- token`. Without it, the service does not listen on `ADMIN_PORT`',
    ),
  ADMIN_HOST: host().default('127.0.0.1').describe('Address to listen on'),
  ADMIN_PORT: port()
    .default(3002)
    .describe(
      'Port of the inbox and the page reports, which `LEADS_PORT` does not serve; `0` picks a free one',
    ),
  RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(730)
    .describe('Days after which leads are deleted, two years unless set; `0`: never'),
  LOG_FORMAT: z
    .enum(logFormats, `must be ${logFormats.join(' or ')}.`)
    .default('json')
    .describe('`json`: one object per line on stdout; `text`: readable lines'),
  METRICS_PORT: port().optional().describe('Port of `GET /metrics` for Prometheus; `0` picks a free one'),
  METRICS_HOST: host().default('127.0.0.1').describe('Address to listen on'),
  STOP_DELAY_SECONDS: wholeNumber(0, 600)
    .default(0)
    .describe(
      'Seconds for which `/readyz` answers 503 at a stop before the service closes its ports, so that a load balancer can react',
    ),
  LIVE_PAGE: parsed(
    parseLivePage,
    'must look like https://www.example.com/ or /srv/site/current/index.html. Correct or remove it.',
  )
    .optional()
    .describe(
      'URL of the site, or path of the live `index.html`. Metrics contain only versions that this page names',
    ),
});

const consistentSettings = settings.superRefine((values, context) => {
  if (values.DATABASE_URL && !values.LEADS_SECRET) {
    context.addIssue(
      'LEADS_SECRET is missing. Set it to the same 32 random characters or more for every instance on the database, for example from "openssl rand -base64 32".',
    );
  }
  // So that no mail reaches the example addresses by mistake.
  for (const [name, example] of [
    ['MAIL_FROM', exampleSender],
    ['SALES_ADDRESS', exampleSales],
  ] as const) {
    if (!values.SMTP_URL || values[name] !== undefined) continue;
    context.addIssue(`${name} is missing. With SMTP_URL it must be set, such as "${example}".`);
  }
  const names = values.WEBHOOKS.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    context.addIssue('WEBHOOKS contains a name twice. Give each endpoint a name of its own.');
  }
  for (const { name, format } of values.WEBHOOKS) {
    if (format || values.WEBHOOK_SECRETS.some((secret) => secret.name === name)) continue;
    context.addIssue(
      `WEBHOOK_SECRETS has no secret of "${name}". Add "${name}=whsec_" and the output of "openssl rand -base64 32".`,
    );
  }
  const tokens = values.ADMIN_TOKENS.map(({ name }) => name);
  if (new Set(tokens).size < tokens.length) {
    context.addIssue('ADMIN_TOKENS contains a name twice. Give each token a different name.');
  }
});

export type Config = ReturnType<typeof readConfig>;

/** Reads the environment, which only this file accesses. Throws a {@link StartupError} with all mistakes. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const values = valuesOf(consistentSettings, environment);
  const { METRICS_PORT, SMTP_URL, SALES_ADDRESS = exampleSales } = values;
  return {
    ...adminContextOf(values),
    address: { host: values.LEADS_HOST, port: values.LEADS_PORT },
    secret: values.LEADS_SECRET,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    allowedOrigins: values.ALLOWED_ORIGINS,
    requestsPerAddress: values.LEADS_PER_ADDRESS,
    delivery: {
      enabled: values.DELIVERY === 'on',
      leaseSeconds: values.DELIVERY_LEASE_SECONDS,
      mail: {
        smtpUrl: SMTP_URL?.href,
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
        secrets: values.WEBHOOK_SECRETS.flatMap((secret) => (secret.name === name ? [secret.secret] : [])),
      })),
    },
    logFormat: values.LOG_FORMAT,
    metrics: METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: METRICS_PORT },
    stopDelaySeconds: values.STOP_DELAY_SECONDS,
    livePage: values.LIVE_PAGE,
    admin: {
      tokens: values.ADMIN_TOKENS,
      address: { host: values.ADMIN_HOST, port: values.ADMIN_PORT },
    },
  };
}

const adminContextSettings = settings.pick({
  ...{ DATA_DIR: true, DATABASE_URL: true, WEBHOOKS: true, RETENTION_DAYS: true },
});

/** Reads the settings of the command line. Throws a {@link StartupError} with all mistakes. */
export function readAdminContextConfig(environment: NodeJS.ProcessEnv = process.env): AdminContextConfig {
  return adminContextOf(valuesOf(adminContextSettings, environment));
}

function valuesOf<Schema extends z.ZodType>(schema: Schema, environment: NodeJS.ProcessEnv) {
  const { data, error } = schema.safeParse(environment);
  if (error) throw new StartupError(mistakesIn(error));
  return data;
}

function adminContextOf({
  DATA_DIR: directory,
  DATABASE_URL: url,
  WEBHOOKS,
  RETENTION_DAYS: retentionDays,
}: z.output<typeof adminContextSettings>): AdminContextConfig {
  return {
    dataDirectory: directory,
    database: url ? { kind: 'postgres', url: url.href } : { kind: 'sqlite', directory, file: 'leads.sqlite' },
    webhooks: WEBHOOKS.map(({ name }) => name),
    retentionDays,
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

/** A value with a scheme must be an HTTP URL. Any other value is a path, also one that begins with the letter of a Windows drive. */
function parseLivePage(value: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]+:/i.test(value)) return value.trim() === '' ? undefined : resolve(value);
  const address = URL.parse(value);
  return address !== null && ['http:', 'https:'].includes(address.protocol) ? address.href : undefined;
}
