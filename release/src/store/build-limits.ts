import { ReleaseError } from '../platform/release-error.ts';

/** Limits of a version: bytes of all files, which are in memory while it is published, and their number. */
export const buildLimits = { bytes: 100_000_000, files: 5_000 } as const;

/** Throws a {@link ReleaseError} if a build has more bytes or files than a version may have. */
export function assertBuildSize(holder: string, size: number, count: number): void {
  if (size <= buildLimits.bytes && count <= buildLimits.files) return;
  throw new ReleaseError(
    `${holder} has ${Math.ceil(size / 1e6)} MB in ${count} files to publish, and at most ${buildLimits.bytes / 1e6} MB in ${buildLimits.files} files are allowed. Remove what the part does not need, and build again.`,
  );
}
