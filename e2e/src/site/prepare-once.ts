import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Time between two checks whether another worker is done, in milliseconds. */
const retryInterval = 250;

/**
 * Prepares a folder once for all workers of a run, in the worker that needs it first. The others wait for it, or prepare it
 * themselves if it fails there. Returns the result of `prepare`, which is stored as JSON.
 *
 * @param directory does not exist when the run starts
 */
export async function prepareOnce<Result>(
  directory: string,
  prepare: () => Promise<Result>,
): Promise<Result> {
  const result = join(directory, 'result.json');
  await mkdir(dirname(directory), { recursive: true });
  while (!existsSync(result)) {
    if (!(await isFirstIn(directory))) {
      await delay(retryInterval);
      continue;
    }
    try {
      await writeFile(`${result}.part`, JSON.stringify(await prepare()));
      await rename(`${result}.part`, result);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }
  return JSON.parse(await readFile(result, 'utf8')) as Result;
}

/** Creates the folder. Returns `false` if another worker has done so. */
async function isFirstIn(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
