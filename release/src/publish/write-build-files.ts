import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReleaseError } from '../platform/release-error.ts';

/**
 * Writes files into the folder of a build, one after the other. Follows no symbolic link, because the build may come from
 * another machine.
 *
 * @param files name → text
 */
export async function writeBuildFiles(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of files) {
    const path = join(directory, name);
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    if ((await realpath(folder)) !== join(await realpath(directory), dirname(name))) {
      throw new ReleaseError(`${folder} is a symbolic link. Replace it by a folder and build again.`);
    }
    await rm(path, { force: true });
    await writeFile(path, text);
  }
}
