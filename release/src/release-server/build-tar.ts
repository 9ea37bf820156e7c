/** A build on its way to the release server, as a tar. */
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileName } from '@countersign/contracts/part-manifest';
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar';
import { errorCode, undefinedIfMissing } from '../platform/errors.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { assertBuildSize } from '../store/build-limits.ts';

/** Errors of a file whose name another file or folder has. */
const nameIsTaken: readonly unknown[] = ['EEXIST', 'EISDIR', 'ENOTDIR'];

/** Packs files of a folder, of which at most one is in memory. The same files make the same tar. */
export function packBuild(folder: string, names: readonly string[]): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const pack = async () => {
    for (const name of names) {
      const content = await undefinedIfMissing(readFile(join(folder, name)));
      if (!content)
        throw new ReleaseError(`${folder} has lost ${name}. Publish again when the build is complete.`);
      const writer = controller.add({ name, size: content.length, mtime: new Date(0) }).getWriter();
      await writer.write(content);
      await writer.close();
    }
    controller.finalize();
  };
  pack().catch((error: unknown) => controller.error(error));
  return readable;
}

/**
 * Unpacks a tar, which any client may have sent, into a folder beside it, and resolves to this folder. Throws a {@link ReleaseError}
 * for anything but regular files inside of the folder.
 */
export async function unpackBuild(tar: string): Promise<string> {
  const folder = `${tar}.files`;
  let size = 0;
  let count = 0;
  try {
    const bytes = Readable.toWeb(createReadStream(tar)) as ReadableStream<Uint8Array>;
    for await (const entry of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
      size += entry.header.size;
      count += 1;
      assertBuildSize('The build', size, count);
      await unpackFile(entry, folder);
    }
    return folder;
  } catch (cause) {
    // Errors of the disk have a code, those of the tar have none.
    if (cause instanceof ReleaseError || errorCode(cause) !== undefined) throw cause;
    throw new ReleaseError(
      'The upload is not a complete tar. Use the same version of the release command as the server.',
      { cause },
    );
  }
}

async function unpackFile(
  { header: { name, type = 'file' }, body }: ParsedTarEntry,
  folder: string,
): Promise<void> {
  const { error } = fileName.safeParse(name);
  if (error)
    throw new ReleaseError(
      `The build holds ${name}. The name of a file ${error.issues[0]?.message}. Rename it, and build again.`,
    );
  if (type !== 'file')
    throw new ReleaseError(`The build holds the ${type} ${name}. Replace it by a copy of the file.`);
  const path = join(folder, name);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, body, { flag: 'wx' });
  } catch (cause) {
    if (!nameIsTaken.includes(errorCode(cause))) throw cause;
    throw new ReleaseError(`The build holds ${name} twice, or a folder of this name. Build the part again.`, {
      cause,
    });
  }
}
