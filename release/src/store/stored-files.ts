import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { developmentFolder } from '@countersign/contracts/part-manifest';
import { integrityOf } from '../platform/integrity-of.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import type { ObjectStore } from './object-store.ts';
import type { FileHashes } from './stored-documents.ts';
import { encode } from './stored-json.ts';

const brotli = promisify(brotliCompress);
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
const gzipped = promisify(gzip);

/** Ending of a file or a compressed copy → what restores the file. */
const restorers: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  '': (bytes) => Promise.resolve(bytes),
  '.br': promisify(brotliDecompress),
  '.gz': promisify(gunzip),
};

/** Compressible file types. Fonts and images are compressed already. */
const compressible = /\.(html|js|css|svg|json|txt|xml|webmanifest)$/;

const isCopied = (copy: string) => compressible.test(copy.slice(0, -extname(copy).length));

/** Whether a file, or a compressed copy of one, has the content with the file's hash. A file without a hash is intact. */
export async function isIntact(name: string, bytes: Uint8Array, hashes: FileHashes): Promise<boolean> {
  const [, file = name, ending = ''] = /^(.*?)(\.br|\.gz)?$/.exec(name) ?? [];
  if (hashes[file] === undefined) return true;
  // A copy that cannot be decompressed is another one, too.
  const content = await restorers[ending]?.(bytes).catch(() => undefined);
  return content !== undefined && integrityOf(content) === hashes[file];
}

/** The files of a version, or the pages of a release: objects with a common prefix, which never change. */
export class StoredFiles {
  /** Key prefix, which names the folder in messages. */
  readonly prefix: string;
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore, prefix: string) {
    this.#objects = objects;
    this.prefix = prefix;
  }

  /** Names of all files, sorted. */
  async list(): Promise<readonly string[]> {
    return (await this.#objects.list(this.prefix)).map((key) => key.slice(this.prefix.length));
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return (await this.#objects.read(`${this.prefix}${name}`))?.bytes;
  }

  /**
   * The damage of files and their compressed copies, by the hashes of the files.
   *
   * @param areCopiesNeeded whether a missing copy is wrong. Visitors get the file without it
   */
  async findDamage(hashes: FileHashes, areCopiesNeeded = true): Promise<readonly string[]> {
    const stored = new Set(await this.list());
    const files = Object.keys(hashes);
    const copies = files.flatMap((file) => [`${file}.br`, `${file}.gz`]);
    const needed = areCopiesNeeded ? [...files, ...copies.filter(isCopied)] : files;
    const lost = needed.filter((name) => !stored.has(name));
    const changed: string[] = [];
    await mapConcurrently([...files, ...copies], async (name) => {
      if (!stored.has(name)) return;
      const bytes = (await this.read(name)) ?? new Uint8Array();
      if (!(await isIntact(name, bytes, hashes))) changed.push(`has another ${name} than was published`);
    });
    return [...lost.map((name) => `has lost ${name}`), ...changed];
  }

  /** Writes a file, and replaces a damaged one. */
  async add(name: string, bytes: Uint8Array): Promise<void> {
    const key = `${this.prefix}${name}`;
    if ((await this.#objects.create(key, bytes)) === 'created') return;
    const found = await this.#objects.read(key);
    if (found && Buffer.compare(found.bytes, bytes) === 0) return;
    await this.#objects.overwrite(key, bytes);
  }

  /** Writes a file with its compressed copies, after it, because a site can serve a file without copies. */
  async addWithCopies(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? encode(content) : content;
    await this.add(name, bytes);
    if (!compressible.test(name)) return;
    // Development files are large: at level 11, the shell's takes seconds.
    const quality = name.startsWith(developmentFolder) ? 5 : 11;
    const params = { [BROTLI_PARAM_SIZE_HINT]: bytes.length, [BROTLI_PARAM_QUALITY]: quality };
    const [br, gz] = await Promise.all([brotli(bytes, { params }), gzipped(bytes, { level: 9 })]);
    await Promise.all([this.add(`${name}.br`, br), this.add(`${name}.gz`, gz)]);
  }

  async remove(): Promise<void> {
    await this.#objects.remove(await this.#objects.list(this.prefix));
  }
}
