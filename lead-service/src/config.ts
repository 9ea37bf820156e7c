import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { DatabaseLocation } from './store/database-access.ts';

/** Settings of one running service. */
export interface Config {
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseLocation;
}

/** Either settings that hold, or everything that is wrong with them, each as a sentence for the operator. */
export type ConfigResult =
  | { readonly valid: true; readonly config: Config }
  | { readonly valid: false; readonly faults: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment. This file is the only one that does. */
export function readConfig(environment: Environment = process.env): ConfigResult {
  const faults: string[] = [];
  const port = readPort(environment.LEADS_PORT ?? '3001', faults);
  const host = readHost(environment.LEADS_HOST ?? '127.0.0.1', faults);
  const database = readDatabase(environment, faults);
  return faults.length > 0 ? { valid: false, faults } : { valid: true, config: { port, host, database } };
}

function readPort(text: string, faults: string[]): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) {
    faults.push(`LEADS_PORT must be a whole number from 0 to 65535, but is "${text}".`);
  }
  return port;
}

function readHost(text: string, faults: string[]): string {
  if (isIP(text) === 0 && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)) {
    faults.push(`LEADS_HOST must be an IP address or a host name such as 127.0.0.1, but is "${text}".`);
  }
  return text;
}

function readDatabase(environment: Environment, faults: string[]): DatabaseLocation {
  const directory = environment.DATA_DIR ?? '.data/leads';
  if (directory.trim() === '') {
    faults.push('DATA_DIR is empty. Set it to the folder that keeps the leads, or remove it.');
  }
  const url = environment.DATABASE_URL;
  if (url === undefined) return { kind: 'sqlite', directory: resolve(directory) };
  if (!isPostgresUrl(url)) {
    // The value stays out of the sentence: it may hold a password.
    faults.push(
      'DATABASE_URL must look like postgres://user:password@host:5432/database. Correct or remove it.',
    );
  }
  return { kind: 'postgres', url };
}

function isPostgresUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'postgres:' || protocol === 'postgresql:';
}
