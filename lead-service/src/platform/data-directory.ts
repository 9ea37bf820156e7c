import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const repositoryDirectory = join(import.meta.dirname, '..', '..');
const leadFiles = ['leads.sqlite', 'spool.sqlite'];

export type FoundDirectory = { readonly directory: string } | { readonly ambiguous: readonly string[] };

/**
 * The folder of the leads for a value of DATA_DIR: the folder itself, or `leads/` in it, where `npm start` keeps them. So one
 * value finds the same leads in every command. A relative value is relative to the repository, whatever the working
 * directory is; leads of an earlier version in the working directory are found as well.
 *
 * @param value undefined: `.data`
 */
export function findDataDirectory(
  value: string | undefined,
  workingDirectory: string = process.cwd(),
): FoundDirectory {
  const folders = [repositoryDirectory, workingDirectory].map((base) => resolve(base, value ?? '.data'));
  const candidates = new Set(folders.flatMap((folder) => [join(folder, 'leads'), folder]));
  const found = [...candidates].filter(holdsLeads);
  if (found.length > 1) return { ambiguous: found };
  const [directory = resolve(repositoryDirectory, value ?? '.data/leads')] = found;
  return { directory };
}

function holdsLeads(directory: string): boolean {
  return leadFiles.some((file) => existsSync(join(directory, file)));
}
