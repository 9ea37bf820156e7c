import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
const maxSize = buildLimits.folder + 2_048 * (buildLimits.files + 1);

/** A build that is received. Disposing of it removes it. */
export interface ReceivedBuild extends AsyncDisposable {
  /** Path of the tar, in a folder of its own. */
  readonly tar: string;
  readonly commit: string | undefined;
}

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

    /** Writes a build to the disk as it arrives. Throws a {@link ReleaseError} if it is refused, or is not the announced one. */
    async receive(releaser: string, build: SentBuild, body: Readable): Promise<ReceivedBuild> {
      const { size, commit } = build;
      if (size > maxSize) {
        throw new UsageError(
          `The build has more than ${buildLimits.folder / 1e6} MB. Remove what the part does not need, and build again.`,
        );
      }
      const today = `${releaser} ${new Date().toISOString().slice(0, 10)}`;
      const count = (bytes: number) => receivedBytes.set(today, (receivedBytes.get(today) ?? 0) + bytes);
      if ((receivedBytes.get(today) ?? 0) + size > limits.bytesPerDay) {
        throw new ReleaseError(
          `The builds of ${releaser} have used up their bytes of today. Publish again tomorrow.`,
        );
      }
      count(size);
      const own = join(folder, randomUUID());
      const tar = join(own, 'build.tar');
      const remove = () => rm(own, { recursive: true, force: true });
      try {
        const { bavail, bsize } = await statfs(folder);
        if (bavail * bsize < limits.requiredSpace) {
          throw new ReleaseError(
            'The disk of the release server has no room for another build. Ask its operator to free some space.',
          );
        }
        await mkdir(own);
        await write(body, build, tar);
      } catch (error) {
        count(-size);
        await remove();
        throw error;
      }
      return { tar, commit, [Symbol.asyncDispose]: remove };
    },
  };
}

/** Throws a {@link UsageError} if the bytes are not the announced ones. */
async function write(body: Readable, { size, hash }: SentBuild, tar: string): Promise<void> {
  const digest = createHash('sha256');
  let received = 0;
  const upToSize = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      received += piece.length;
      digest.update(piece);
      // The rest is read as well, because the client reads no answer before it has sent all.
      if (received <= size) yield piece;
    }
  };
  await pipeline(body, upToSize, createWriteStream(tar));
  if (received === size && digest.digest('hex') === hash) return;
  throw new UsageError('The build changed while it was sent. Publish it again when it is complete.');
}
