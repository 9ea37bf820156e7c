import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../platform/log.ts';
import { createDirectory } from '../platform/replace-file.ts';
import { StartupError } from '../platform/explained-error.ts';
import { isLocked, remedyFor } from './sqlite-access.ts';

/**
 * Locks a data directory until the disposal or the end of the process, so that one service at a time uses it. It uses SQLite's file
 * lock, which the operating system drops even after a crash. Throws {@link StartupError} if another process holds the lock.
 */
export async function lockDirectory(directory: string): Promise<Disposable> {
  const file = join(directory, 'service.lock');
  let lock: DatabaseSync | undefined;
  try {
    await createDirectory(directory);
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    const message = isLocked(error)
      ? `Another lead service uses ${directory}. Stop it, or set DATA_DIR to another folder.`
      : `Cannot write to ${directory} (${reasonOf(error)}). ${remedyFor(error)}`;
    throw new StartupError(message, { cause: error });
  }
}
