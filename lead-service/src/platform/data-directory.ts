import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const repositoryDirectory = join(import.meta.dirname, '..', '..', '..');
const leadFiles = ['leads.sqlite', 'spool.sqlite'];

type FoundDirectory = { readonly directory: string } | { readonly ambiguous: readonly string[] };

/**
 * Resolves DATA_DIR to the folder of the leads: the folder itself, or its subfolder `leads/`, which `npm start` uses.
 * One value therefore finds the same leads in every command.
 *
 * A relative value is relative to the repository, not to the working directory.
 *
 * @param value defaults to `.data`
 */
export function findDataDirectory(value: string | undefined): FoundDirectory {
  const folder = resolve(repositoryDirectory, value ?? '.data');
  const found = [join(folder, 'leads'), folder].filter(holdsLeads);
  if (found.length > 1) return { ambiguous: found };
  const [directory = resolve(repositoryDirectory, value ?? '.data/leads')] = found;
  return { directory };
}

function holdsLeads(directory: string): boolean {
  return leadFiles.some((file) => existsSync(join(directory, file)));
}
