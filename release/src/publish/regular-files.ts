import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../store/is-missing-file.ts';
import { ReleaseError } from '../store/release-error.ts';

/**
 * Limits of a build: bytes of a file, bytes of all files, and their number. A part of a page is much smaller, and all files of
 * a build are in memory while it is published.
 */
export const buildLimits = { file: 20_000_000, folder: 100_000_000, files: 5_000 } as const;
const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;

/**
 * Reads a file of a build. The build may come from another machine, so a {@link ReleaseError} refuses links, which could lead to a
 * private file; pipes and devices, which may never end; and files that are too large.
 */
export async function readRegularFile(path: string): Promise<Buffer> {
  // Opening a pipe or a link fails or returns at once, also if it replaced a regular file a moment ago.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((cause: unknown) => {
    if (hasErrorCode(cause, 'ELOOP') || hasErrorCode(cause, 'ENXIO')) throw irregular(path);
    throw cause;
  });
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new ReleaseError(`${path} is a folder. Name the file.`);
    if (!stats.isFile()) throw irregular(path);
    assertSize(path, stats.size, buildLimits.file);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Reads files of a folder: name → content. Refuses what {@link readRegularFile} refuses, and too much in all. */
export async function readRegularFiles(
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (names.length > buildLimits.files) {
    throw new ReleaseError(
      `${folder} has ${names.length} files to publish, and at most ${buildLimits.files} are allowed. Remove what the part does not need, and build again.`,
    );
  }
  const sizes = await Promise.all(names.map(async (name) => (await lstat(join(folder, name))).size));
  assertSize(
    folder,
    sizes.reduce((sum, size) => sum + size, 0),
    buildLimits.folder,
  );
  const read = names.map(async (name) => [name, await readRegularFile(join(folder, name))] as const);
  return new Map(await Promise.all(read));
}

function irregular(path: string): ReleaseError {
  return new ReleaseError(`${path} is not a regular file. Replace it by a copy of the file.`);
}

function assertSize(path: string, size: number, limit: number): void {
  if (size <= limit) return;
  throw new ReleaseError(
    `${path} has ${megabytes(size)} to publish, and at most ${megabytes(limit)} are allowed. Remove what the part does not need, and build again.`,
  );
}
