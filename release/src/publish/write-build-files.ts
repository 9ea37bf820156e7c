import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { partManifest, type PartManifest } from '@countersign/contracts/part-manifest';
import * as z from 'zod/mini';
import { errorCode } from '../platform/is-missing-file.ts';
import { ReleaseError } from '../platform/release-error.ts';

/** Text of `part.json`. Throws a {@link ReleaseError} if the manifest is invalid. */
export function partManifestText(manifest: PartManifest): string {
  const { error } = partManifest.safeParse(manifest);
  if (!error) return `${JSON.stringify(manifest, null, 2)}\n`;
  throw new ReleaseError(
    `${manifest.name} ${manifest.version} cannot be published: ${z.prettifyError(error)}. Correct the build or its settings.`,
  );
}

/**
 * Writes files into the folder of a build, one after the other. Follows no symbolic link, because the build may come from
 * another machine.
 *
 * @param files name → text
 */
export async function writeBuildFiles(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of files) {
    const path = join(directory, name);
    try {
      await write(directory, name, text);
    } catch (cause) {
      const code = errorCode(cause);
      if (code === undefined) throw cause;
      throw new ReleaseError(
        `${path} cannot be written (${code}). Let this user change the folder, or build again.`,
        { cause },
      );
    }
  }
}

async function write(directory: string, name: string, text: string): Promise<void> {
  const path = join(directory, name);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== join(await realpath(directory), dirname(name))) {
    throw new ReleaseError(`${folder} is a symbolic link. Replace it by a folder and build again.`);
  }
  await rm(path, { force: true });
  // Not through a link that was created meanwhile.
  await writeFile(path, text, { flag: 'wx' });
}
