import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdtempDisposable, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ReleaseError, UsageError } from '../platform/release-error.ts';
import { buildLimits } from '../store/build-limits.ts';
import type { SentBuild } from './call-messages.ts';

const defaultLimits = {
  /** Bytes of the builds that a releaser sends in a day. */
  bytesPerDay: 2_000_000_000,
  /** Bytes of the disk without which no build is received: three copies of the largest one, and room for changes of the page. */
  requiredSpace: 1_000_000_000,
};
/** Bytes of the largest tar: its files, and for each of them at most 2 kB that describe it. */
const maxSize = buildLimits.bytes + 2_048 * (buildLimits.files + 1);

export type ReceivedBuilds = ReturnType<typeof openReceivedBuilds>;

/** Builds in a folder while they are published. Those of one team must not fill the disk that all teams share. */
export function openReceivedBuilds(folder: string, limits = defaultLimits) {
  /** Releaser and day → bytes of the builds that were received, since the start of the server. */
  const receivedBytes = new Map<string, number>();
  return {
    /** Removes what earlier servers have left. Their clients do not wait for it any more. */
    clear(): void {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    },

    /**
     * Writes a build to the disk as it arrives, as a tar in a folder of its own. Disposing of it removes it. Throws
     * a {@link ReleaseError} if it is refused, or is not the announced one.
     */
    async receive(releaser: string, build: SentBuild, body: Readable) {
      const { size, commit } = build;
      if (size > maxSize) {
        throw new UsageError(
          `The build has more than ${buildLimits.bytes / 1e6} MB. Remove what the part does not need, and build again.`,
        );
      }
      const today = `${releaser} ${new Date().toISOString().slice(0, 10)}`;
      const count = (bytes: number) => receivedBytes.set(today, (receivedBytes.get(today) ?? 0) + bytes);
      if ((receivedBytes.get(today) ?? 0) + size > limits.bytesPerDay) {
        throw new ReleaseError(
          `The builds of ${releaser} have used up their bytes of today. Publish again tomorrow.`,
        );
      }
      // Whatever fails, the build is neither kept nor counted.
      await using undo = new AsyncDisposableStack();
      count(size);
      undo.defer(() => void count(-size));
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < limits.requiredSpace) {
        throw new ReleaseError(
          'The disk of the release server has no room for another build. Ask its operator to free some space.',
        );
      }
      const own = undo.use(await mkdtempDisposable(join(folder, 'build-')));
      const tar = join(own.path, 'build.tar');
      await writeFile(tar, announcedBytes(body, build));
      undo.move();
      return { tar, commit, [Symbol.asyncDispose]: own.remove };
    },
  };
}

/** The bytes of a build, hashed as they pass. Throws a {@link UsageError} if they are not the announced ones. */
async function* announcedBytes(body: Readable, { size, hash }: SentBuild): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  let received = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    received += piece.length;
    digest.update(piece);
    // The rest is read as well, because the client reads no answer before it has sent all.
    if (received <= size) yield piece;
  }
  if (received === size && digest.digest('hex') === hash) return;
  throw new UsageError('The build changed while it was sent. Publish it again when it is complete.');
}
