import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { fileOfDelta } from '../store/delta-file.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';

const unpackers = [
  ['.br', promisify(brotliDecompress)],
  ['.gz', promisify(gunzip)],
] as const;

/**
 * Limit of a decompressed copy, in bytes, unless its original is longer. It stops decompression bombs, and still lets a copy
 * be compared whose original is lost or too short.
 */
const minOutputLength = 1024 * 1024;

interface StoredFiles {
  /** Name → bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Compressed copies, which most visitors get. */
  readonly copies: readonly CompressedCopy[];
  /** Name → bytes of deltas. */
  readonly deltas: ReadonlyMap<string, Uint8Array>;
}

interface CompressedCopy {
  readonly name: string;
  /** Name of the original file. */
  readonly file: string;
  /** Decompressed bytes; `undefined` if the copy is corrupt, or longer than the original. */
  readonly content: Uint8Array | undefined;
}

/** Reads all files below a prefix, and decompresses the compressed copies. */
export async function readStoredFiles(
  objects: ObjectStore,
  prefix: string,
  keys: readonly string[],
): Promise<StoredFiles> {
  const files = new Map<string, Uint8Array>();
  const deltas = new Map<string, Uint8Array>();
  const packed: (readonly [name: string, bytes: Uint8Array, unpacker: (typeof unpackers)[number]])[] = [];
  await Promise.all(
    keys.map(async (key) => {
      const bytes = (await objects.read(key))?.bytes;
      // The object was removed after the keys were listed.
      if (!bytes) return;
      const name = key.slice(prefix.length);
      const unpacker = unpackers.find(([suffix]) => name.endsWith(suffix));
      if (fileOfDelta(name) !== undefined) deltas.set(name, bytes);
      else if (unpacker) packed.push([name, bytes, unpacker]);
      else files.set(name, bytes);
    }),
  );
  const copies = packed.map(async ([name, bytes, [suffix, unpack]]): Promise<CompressedCopy> => {
    const file = name.slice(0, -suffix.length);
    const maxOutputLength = Math.max(files.get(file)?.length ?? 0, minOutputLength);
    return { name, file, content: await unpack(bytes, { maxOutputLength }).catch(() => undefined) };
  });
  return { files, deltas, copies: (await Promise.all(copies)).sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Name → bytes of all files below a prefix, or of the given names. */
export async function readFilesBelow(
  { objects }: ReleaseStore,
  prefix: string,
  names?: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = names ?? (await objects.list(prefix)).map((key) => key.slice(prefix.length));
  const read = await Promise.all(
    found.map(async (name) => [name, (await objects.read(`${prefix}${name}`))?.bytes] as const),
  );
  return new Map(read.flatMap(([name, bytes]) => (bytes ? [[name, bytes]] : [])));
}

/** Whether both exist and are equal. */
export function equalBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}
