import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { developmentFolder } from '@countersign/contracts/part-manifest';
import { integrityOf } from '../platform/file-hash.ts';
import type { ObjectStore } from './object-store.ts';
import type { FileHashes } from './stored-documents.ts';
import { encode } from './stored-json.ts';

const brotli = promisify(brotliCompress);
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
const gzipped = promisify(gzip);

/** Ending of a compressed copy → what restores the file. */
const decompress: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  '.br': promisify(brotliDecompress),
  '.gz': promisify(gunzip),
};

/** Files that are read at the same time. */
const concurrency = 16;

/** Compressible file types. Fonts and images are compressed already. */
const compressible = /\.(html|js|css|svg|json|txt|xml|webmanifest)$/;

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

  /** Names of files that are lost, and of files and compressed copies that have another content than was published. */
  async damaged(hashes: FileHashes): Promise<{ readonly lost: string[]; readonly changed: string[] }> {
    const found = { lost: [] as string[], changed: [] as string[] };
    const stored = new Set(await this.list());
    const files = Object.entries(hashes).flatMap(([file, hash]) =>
      ['', ...Object.keys(decompress)].map((copy) => ({ name: `${file}${copy}`, copy, hash })),
    );
    // A few at the same time, because a version can have thousands.
    for (let first = 0; first < files.length; first += concurrency) {
      const some = files.slice(first, first + concurrency).map(async ({ name, copy, hash }) => {
        if (copy === '' && !stored.has(name)) found.lost.push(name);
        if (!stored.has(name)) return;
        const bytes = (await this.read(name)) ?? new Uint8Array();
        // A copy that cannot be decompressed is another one, too.
        const content = await (decompress[copy]?.(bytes).catch(() => undefined) ?? bytes);
        if (!content || integrityOf(content) !== hash) found.changed.push(name);
      });
      await Promise.all(some);
    }
    return found;
  }

  /** Writes a file, and replaces a damaged one. */
  async add(name: string, bytes: Uint8Array): Promise<void> {
    const key = `${this.prefix}${name}`;
    if ((await this.#objects.create(key, bytes)) === 'created') return;
    const found = await this.#objects.read(key);
    if (found && Buffer.compare(found.bytes, bytes) === 0) return;
    await this.#objects.overwrite(key, bytes);
  }

  /** Writes a file with its compressed copies, after it, because a file without copies is valid. */
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
