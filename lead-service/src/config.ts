import { readAdmin, type AdminConfig } from './admin/admin-config.ts';
import { readAbuseConfig, type AbuseConfig } from './abuse/abuse-config.ts';
import { findDataDirectory } from './data-directory.ts';
import { readDeliveryConfig, type DeliveryConfig } from './delivery/delivery-config.ts';
import { EnvironmentReader } from './environment-reader.ts';
import { logFormats, logLevels, type LogFormat, type LogLevel } from './log.ts';
import { readOperations, type OperationsConfig } from './operations/operations-config.ts';
import { readRetention, type RetentionConfig } from './privacy/retention-config.ts';
import type { DatabaseLocation } from './store/database-access.ts';

/** Settings of one running service. */
export interface Config {
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly host: string;
  /** Folder of everything that this instance keeps on its machine. */
  readonly dataDirectory: string;
  readonly database: DatabaseLocation;
  /** Shared by all instances on one database. Without one, the data directory keeps one of its own. */
  readonly secret: string | undefined;
  readonly abuse: AbuseConfig;
  readonly delivery: DeliveryConfig;
  readonly logFormat: LogFormat;
  /** What is less important is not logged. */
  readonly logLevel: LogLevel;
  readonly operations: OperationsConfig;
  readonly admin: AdminConfig;
  readonly retention: RetentionConfig;
}

/** What is needed to work with leads beside a running service. */
export type DeskConfig = Pick<Config, 'dataDirectory' | 'database' | 'retention'>;

/** Either settings that hold, or everything that is wrong with them, each as a sentence for the operator. */
export type SettingsResult<Settings> =
  | { readonly valid: true; readonly config: Settings }
  | { readonly valid: false; readonly faults: readonly string[] };
export type ConfigResult = SettingsResult<Config>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment. This file is the only one that does. */
export function readConfig(environment: Environment = process.env): ConfigResult {
  const reader = new EnvironmentReader(environment);
  const dataDirectory = readDataDirectory(reader);
  const config: Config = {
    port: reader.wholeNumber('LEADS_PORT', { initial: 3001, least: 0, most: 65_535 }),
    host: reader.host('LEADS_HOST', '127.0.0.1'),
    dataDirectory,
    database: readDatabase(reader, dataDirectory),
    secret: readSecret(reader, environment['DATABASE_URL'] !== undefined),
    abuse: readAbuseConfig(reader),
    delivery: readDeliveryConfig(reader),
    logFormat: reader.choice('LOG_FORMAT', logFormats, 'json'),
    logLevel: reader.choice('LOG_LEVEL', logLevels, 'info'),
    operations: readOperations(reader),
    admin: readAdmin(reader),
    retention: readRetention(reader),
  };
  return reader.faults.length > 0 ? { valid: false, faults: reader.faults } : { valid: true, config };
}

/** Reads what the command line needs. It gets along without the service's secrets. */
export function readDeskConfig(environment: Environment = process.env): SettingsResult<DeskConfig> {
  const reader = new EnvironmentReader(environment);
  const dataDirectory = readDataDirectory(reader);
  const config = {
    dataDirectory,
    database: readDatabase(reader, dataDirectory),
    retention: readRetention(reader),
  };
  return reader.faults.length > 0 ? { valid: false, faults: reader.faults } : { valid: true, config };
}

function readDataDirectory(reader: EnvironmentReader): string {
  const found = findDataDirectory(reader.text('DATA_DIR'));
  if ('directory' in found) return found.directory;
  const [first = ''] = found.ambiguous;
  reader.fault(
    `DATA_DIR is ambiguous: leads are in ${found.ambiguous.join(' and in ')}. Set it to ${first}, or move that folder away to use the other.`,
  );
  return first;
}

function readDatabase(reader: EnvironmentReader, directory: string): DatabaseLocation {
  const url = reader.url(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host:5432/database',
  );
  return url === undefined
    ? { kind: 'sqlite', directory, file: 'leads.sqlite' }
    : { kind: 'postgres', url: url.href };
}

function readSecret(reader: EnvironmentReader, isShared: boolean): string | undefined {
  const secret = reader.text('LEADS_SECRET');
  if (secret === undefined && isShared) {
    reader.fault(
      'LEADS_SECRET is missing. Set it to the same 32 random characters or more for every instance on the database, for example from "openssl rand -base64 32".',
    );
  }
  if (secret !== undefined && secret.length < 32) {
    reader.fault('LEADS_SECRET must have at least 32 characters. Take them from "openssl rand -base64 32".');
  }
  return secret;
}
