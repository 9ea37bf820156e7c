import type { Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  partManifest,
  partManifestFile,
  publicFolder,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import * as z from 'zod';
import { isMissingFile, undefinedIfMissing } from '../platform/errors.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { assertBuildSize } from '../store/build-limits.ts';
import { reservedNames } from '../store/page-files.ts';

/** Names that are reserved for the compressed copies that the store creates. A folder must not have one either: it would be in the way. */
const compressedCopy = /\.(?:br|gz)(?:\/|$)/;

/** Reads the manifest of a build. Throws a {@link ReleaseError} if the folder has none, or an invalid one. */
export async function readPartManifest(folder: string): Promise<PartManifest> {
  const path = join(folder, partManifestFile);
  try {
    return partManifest.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    if (isMissingFile(cause)) {
      throw new ReleaseError(`${folder} holds no build (no ${partManifestFile}). Build the part first.`, {
        cause,
      });
    }
    const isInvalid = cause instanceof z.core.$ZodError;
    if (!isInvalid && !(cause instanceof SyntaxError)) throw cause;
    const reason = isInvalid ? z.prettifyError(cause) : 'it is not JSON';
    throw new ReleaseError(`${path} is not valid: ${reason}. Build the part again.`, { cause });
  }
}

/**
 * Names of the files to publish, sorted: the manifest, and those that it lists. Throws a {@link ReleaseError} for a file that is
 * missing, or cannot be served under its name.
 */
export async function listBuildFiles(
  folder: string,
  { name: part, files }: PartManifest,
): Promise<readonly string[]> {
  const names = [...new Set([partManifestFile, ...files])].sort();
  const sizes = await Promise.all(names.map((name) => readSize(folder, part, name)));
  assertBuildSize(
    folder,
    sizes.reduce((sum, bytes) => sum + bytes, 0),
    names.length,
  );
  return names;
}

/** Size of a file, in bytes. Throws a {@link ReleaseError} if it cannot be published. */
async function readSize(folder: string, part: string, name: string): Promise<number> {
  const found = await undefinedIfMissing(lstat(join(folder, name)));
  if (!found) throw new ReleaseError(`${folder} names ${name} but does not hold it. Build the part again.`);
  const reason = refusalReason(part, name, found);
  if (reason) throw new ReleaseError(`${folder} holds ${name}. ${reason}`);
  return found.size;
}

/** Why a file cannot be published, and what to do; `undefined` if it can. */
function refusalReason(part: string, name: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return 'It is not a regular file. Replace it by a copy of the file.';
  if (compressedCopy.test(name)) {
    return 'The extensions .br and .gz are reserved for compressed copies that the store creates. Rename the file and build again.';
  }
  const isPublic = part === 'shell' && name.startsWith(publicFolder);
  if (isPublic && reservedNames.includes(name.slice(publicFolder.length))) {
    return 'This name is reserved for a composed page. Rename the file and build again.';
  }
  return undefined;
}
