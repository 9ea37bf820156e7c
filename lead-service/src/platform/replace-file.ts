import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Writes a file, and resolves when it is durable. No reader sees an incomplete one. A crash may leave an unfinished one beside it, which
 * ends with `.tmp`.
 *
 * @param mode by default readable only by this user, because most files hold personal data
 */
export async function replaceFile(
  path: string,
  content: Parameters<typeof writeFile>[1],
  mode = 0o600,
): Promise<void> {
  // Not one name for all, because another process may write the same file.
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(unfinished, content, { mode, flush: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Creates a directory and its parents durably if they are missing, for this user alone, because its files hold personal data. */
export async function createDirectory(path: string): Promise<void> {
  let created = resolve(path);
  const first = await mkdir(created, { recursive: true, mode: 0o700 });
  for (; first !== undefined && created.length >= first.length; created = dirname(created)) {
    await syncDirectory(dirname(created));
  }
}

/** Syncs the directory, because a new file name is durable only then. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}
