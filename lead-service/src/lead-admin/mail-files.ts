import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const extension = '.eml';

const folderOf = (dataDirectory: string) => join(dataDirectory, 'mails');

/** Ids of the deliveries with a mail file in a data directory. */
export async function listMailFiles(dataDirectory: string): Promise<string[]> {
  try {
    const names = await readdir(folderOf(dataDirectory));
    return names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Removes the mail files of these deliveries, if they exist. */
export async function removeMailFiles(dataDirectory: string, outboxIds: readonly string[]): Promise<void> {
  for (const id of outboxIds) await rm(join(folderOf(dataDirectory), id + extension), { force: true });
}
