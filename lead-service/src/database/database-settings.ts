import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from '@countersign/contracts/settings';
import * as z from 'zod';
import type { DatabaseLocation } from './database-access.ts';
import { databaseUrl } from './database-url.ts';

const repositoryDirectory = join(import.meta.dirname, '..', '..', '..');
const leadFiles = ['leads.sqlite', 'spool.sqlite'];

/**
 * The folder of the leads: the value itself, or its subfolder `leads/`, which `npm start` uses. One value therefore finds the same
 * leads in every command. A relative value is relative to the repository, not to the working directory.
 */
const dataDirectory = text()
  .optional()
  .transform((value, { issues }): string => {
    const folder = resolve(repositoryDirectory, value ?? '.data');
    const subfolder = join(folder, 'leads');
    const found = [subfolder, folder].filter((directory) =>
      leadFiles.some((file) => existsSync(join(directory, file))),
    );
    const [first, ...others] = found;
    if (first === undefined) return value === undefined ? subfolder : folder;
    if (others.length === 0) return first;
    const message = `is ambiguous: leads are in ${found.join(' and in ')}. Set it to ${first}, or move that folder away to use the other.`;
    issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });

export const databaseSettings = z.object({
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
});

export function databaseLocation({
  DATA_DIR: directory,
  DATABASE_URL: url,
}: z.output<typeof databaseSettings>): DatabaseLocation {
  return url ? { kind: 'postgres', url: url.href } : { kind: 'sqlite', directory, file: 'leads.sqlite' };
}
