import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import {
  partManifest,
  partManifestFile,
  publicFolder,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import { reservedNames } from '../page/page-files.ts';
import * as z from 'zod/mini';
import { isMissingFile } from '../store/is-missing-file.ts';
import { ReleaseError } from '../store/release-error.ts';

/** File names that need no escaping in URLs, pages and object keys. `part.json` has the same rule. */
export const safeName = /^[\w.-]+(?:\/[\w.-]+)*$/;
/** In characters. Fits every file system and object store, including the prefix and `.br`. */
export const maxNameLength = 200;
/** Names that are reserved for the compressed copies that the store creates. */
const compressedCopy = /\.(?:br|gz)(?:\/|$)/;

/** Limits of a build: bytes of all files, which are in memory while it is published, and their number. */
export const buildLimits = { folder: 100_000_000, files: 5_000 } as const;

/** Reads the manifest of a build. Throws a {@link ReleaseError} if the folder has none, or an invalid one. */
export async function readPartManifest(directory: string): Promise<PartManifest> {
  const path = join(directory, partManifestFile);
  try {
    return partManifest.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    if (isMissingFile(cause)) {
      throw new ReleaseError(`${directory} holds no build (no ${partManifestFile}). Build the part first.`, {
        cause,
      });
    }
    const isInvalid = cause instanceof z.core.$ZodError;
    if (!isInvalid && !(cause instanceof SyntaxError)) throw cause;
    const mistake = isInvalid ? z.prettifyError(cause) : 'it is not JSON';
    throw new ReleaseError(`${path} is not valid: ${mistake}. Build the part again.`, { cause });
  }
}

/**
 * Reads the files to publish, sorted by name. Excludes source maps, files with a leading dot except in `.well-known`, and compressed copies of other
 * tools, because these may be outdated. Throws a {@link ReleaseError} for a file that cannot be served under its name.
 */
export async function readBuildFiles(
  directory: string,
  { name: part, files }: PartManifest,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const built = files && new Set([partManifestFile, ...files]);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found = new Map(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => [relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'), entry]),
  );
  const published = [...found]
    .filter(([name]) => built?.has(name) ?? !/(?:^|\/)\.(?!well-known\/)/.test(name))
    .filter(([name]) => !isExcluded(name, (other) => found.has(other)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, entry] of published) {
    const reason = rejectionReason(part, name, entry);
    if (reason) throw new ReleaseError(`${directory} holds ${JSON.stringify(name)}. ${reason}`);
  }
  const paths = published.map(([name]) => join(directory, name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (size > buildLimits.folder || paths.length > buildLimits.files) {
    throw new ReleaseError(
      `${directory} has ${Math.ceil(size / 1e6)} MB in ${paths.length} files to publish, and at most ${buildLimits.folder / 1e6} MB in ${buildLimits.files} files are allowed. Remove what the part does not need, and build again.`,
    );
  }
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  return new Map(published.map(([name], index) => [name, contents[index] ?? Buffer.alloc(0)]));
}

/** Files that a manifest lists, without excluded ones. */
export function listedFiles({ files = [] }: PartManifest): readonly string[] {
  return files.filter((name) => !isExcluded(name, (other) => files.includes(other)));
}

function isExcluded(name: string, has: (name: string) => boolean): boolean {
  return name.endsWith('.map') || (/\.(?:br|gz)$/.test(name) && has(name.slice(0, -3)));
}

/** Why a file cannot be published, and what to do; `undefined` if it can. */
function rejectionReason(part: string, name: string, entry: Dirent): string | undefined {
  if (!entry.isFile()) return 'It is not a regular file. Replace it by a copy of the file.';
  if (!safeName.test(name) || name.length > maxNameLength) {
    return `Names may contain letters, digits, ".", "-" and "_", and at most ${maxNameLength} characters. Rename the file and build again.`;
  }
  if (compressedCopy.test(name)) {
    return 'The extensions .br and .gz are reserved for compressed copies that the store creates. Rename the file and build again.';
  }
  if (
    part === 'shell' &&
    reservedNames.includes(name.slice(publicFolder.length)) &&
    name.startsWith(publicFolder)
  ) {
    return 'This name is reserved for a composed page. Rename the file and build again.';
  }
  return undefined;
}
