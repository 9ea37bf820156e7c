import { EnvironmentReader, type Environment } from '@countersign/environment/environment-reader';
import type { SettingsSections } from '@countersign/environment/settings-tables';
import { choice, host, port, text } from '@countersign/environment/variables';
import { adminVariables, readAdmin, type AdminConfig } from './admin-http/admin-config.ts';
import type { DatabaseLocation } from './database/database-access.ts';
import { databaseUrl } from './database/database-url.ts';
import { deliveryVariables, readDeliveryConfig, type DeliveryConfig } from './delivery/delivery-config.ts';
import { mailVariables } from './delivery/mail/mail-config.ts';
import { webhookVariables } from './delivery/webhooks/webhook-config.ts';
import { readRetention, retentionVariables } from './lead-admin/retention-config.ts';
import type { RetentionConfig } from './lead-admin/retention.ts';
import {
  operationsVariables,
  readOperations,
  type OperationsConfig,
} from './observability/operations-config.ts';
import { findDataDirectory } from './platform/data-directory.ts';
import { logFormats, logLevels, type LogFormat, type LogLevel } from './platform/log.ts';
import {
  originVariables,
  quotaVariables,
  readAbuseConfig,
  type AbuseConfig,
} from './rate-limit/abuse-config.ts';

export interface Config {
  /** With 0, the operating system chooses a free port. */
  readonly port: number;
  readonly host: string;
  /** Folder of all local files of this instance. */
  readonly dataDirectory: string;
  readonly database: DatabaseLocation;
  /** Shared by all instances on one database. Undefined: the service generates a secret in the data directory. */
  readonly secret: string | undefined;
  readonly abuse: AbuseConfig;
  readonly delivery: DeliveryConfig;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  readonly operations: OperationsConfig;
  readonly admin: AdminConfig;
  readonly retention: RetentionConfig;
}

/** Settings of commands that work on leads next to a running service. */
export interface AdminContextConfig extends Pick<Config, 'dataDirectory' | 'database'> {
  /** Names of the webhook endpoints. */
  readonly webhooks: readonly string[];
}

/** Valid settings, or all errors, each as a sentence for the operator. */
type SettingsResult<Settings> =
  | { readonly valid: true; readonly config: Settings }
  | { readonly valid: false; readonly errors: readonly string[] };
type ConfigResult = SettingsResult<Config>;

const storeVariables = {
  DATA_DIR: text(
    'Folder for all local data, a separate one for each instance. If it contains leads in `leads/`, as the folder of `npm start` does, the service uses that one. Relative to the repository',
    { shown: '`.data/leads`' },
  ),
  DATABASE_URL: databaseUrl(
    '`postgres://user:password@host:5432/database`: stores leads in PostgreSQL, with only the spool in `DATA_DIR`. One host ([failover](../operate.md#failover)). With `?sslmode=require`, the connection is encrypted and the certificate checked, against `sslrootcert=<file>` if given',
  ),
  LEADS_SECRET: text(
    '32 characters or more, the same for all instances; required with `DATABASE_URL`. With SQLite, the first start generates one and stores it in `DATA_DIR/secret`',
  ),
};

const { DATA_DIR, DATABASE_URL, LEADS_SECRET } = storeVariables;

const networkVariables = {
  LEADS_PORT: port('Port to listen on; `0` picks a free one', 3001),
  LEADS_HOST: host('Address or host name to listen on', '127.0.0.1'),
};

const logVariables = {
  LOG_FORMAT: choice('`json`: one object per line on stdout; `text`: readable lines', logFormats, 'json'),
  LOG_LEVEL: choice('`info`, `warn` or `error`', logLevels, 'info'),
};

export const settings: SettingsSections = [
  { heading: 'Store', variables: storeVariables },
  { heading: 'Network', variables: { ...networkVariables, ...originVariables } },
  {
    heading: 'Mail and webhooks',
    variables: { ...mailVariables, ...webhookVariables, ...deliveryVariables },
  },
  { heading: 'Abuse', variables: quotaVariables },
  { heading: 'Administration', variables: adminVariables },
  { heading: 'Personal data', variables: retentionVariables },
  { heading: 'Operations', variables: { ...logVariables, ...operationsVariables } },
];

/** Reads the environment. Only this file accesses `process.env`. */
export function readConfig(environment: Environment = process.env): ConfigResult {
  const reader = new EnvironmentReader(environment);
  const dataDirectory = readDataDirectory(reader);
  const { LEADS_PORT, LEADS_HOST, LOG_FORMAT, LOG_LEVEL } = reader.read({
    ...networkVariables,
    ...logVariables,
  });
  const config: Config = {
    port: LEADS_PORT,
    host: LEADS_HOST,
    dataDirectory,
    database: readDatabase(reader, dataDirectory),
    secret: readSecret(reader, environment['DATABASE_URL'] !== undefined),
    abuse: readAbuseConfig(reader),
    delivery: readDeliveryConfig(reader),
    logFormat: LOG_FORMAT,
    logLevel: LOG_LEVEL,
    operations: readOperations(reader),
    admin: readAdmin(reader),
    retention: readRetention(reader),
  };
  return reader.errors.length > 0 ? { valid: false, errors: reader.errors } : { valid: true, config };
}

/** Reads the settings of the command line, which needs none of the service's secrets. */
export function readAdminContextConfig(
  environment: Environment = process.env,
): SettingsResult<AdminContextConfig> {
  const reader = new EnvironmentReader(environment);
  const dataDirectory = readDataDirectory(reader);
  const config = {
    dataDirectory,
    database: readDatabase(reader, dataDirectory),
    webhooks: reader
      .read({ WEBHOOKS: webhookVariables.WEBHOOKS })
      .WEBHOOKS.map((it) => it.replace(/=.*/, '')),
  };
  return reader.errors.length > 0 ? { valid: false, errors: reader.errors } : { valid: true, config };
}

function readDataDirectory(reader: EnvironmentReader): string {
  const found = findDataDirectory(reader.read({ DATA_DIR }).DATA_DIR);
  if ('directory' in found) return found.directory;
  const [first = ''] = found.ambiguous;
  reader.reject(
    `DATA_DIR is ambiguous: leads are in ${found.ambiguous.join(' and in ')}. Set it to ${first}, or move that folder away to use the other.`,
  );
  return first;
}

function readDatabase(reader: EnvironmentReader, directory: string): DatabaseLocation {
  const address = reader.read({ DATABASE_URL }).DATABASE_URL;
  return address === undefined
    ? { kind: 'sqlite', directory, file: 'leads.sqlite' }
    : { kind: 'postgres', url: address.href };
}

function readSecret(reader: EnvironmentReader, isShared: boolean): string | undefined {
  const secret = reader.read({ LEADS_SECRET }).LEADS_SECRET;
  if (secret === undefined && isShared) {
    reader.reject(
      'LEADS_SECRET is missing. Set it to the same 32 random characters or more for every instance on the database, for example from "openssl rand -base64 32".',
    );
  }
  if (secret !== undefined && secret.length < 32) {
    reader.reject('LEADS_SECRET must have at least 32 characters. Take them from "openssl rand -base64 32".');
  }
  return secret;
}
