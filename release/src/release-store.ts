import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { releaseDocument, type ReleaseDocument } from '@countersign/contracts/release-document';
import * as z from 'zod/mini';
import { compressedCopies } from './compressed-copies.ts';
import { isMissingFile } from './is-missing-file.ts';
import { ReleaseFault } from './release-fault.ts';
import { writeAtomically } from './write-atomically.ts';

/** Path inside a version's folder → integrity of the file. */
export type FileHashes = Readonly<Record<string, string>>;

const fileHashes = z.record(z.string(), z.string());
const fileHashesFile = 'files.json';

/**
 * Published versions and the document that says which are live, in a folder:
 * `parts/<part>/<version>/…` (never changed once written), `pages/*.html`, `live.json`.
 */
export class ReleaseStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Folder that is served at `/`, as `/<part>/<version>/…`. */
  get partsDirectory(): string {
    return join(this.#directory, 'parts');
  }

  /** Folder of the composed HTML. */
  get pagesDirectory(): string {
    return join(this.#directory, 'pages');
  }

  /** Hashes of a version's files, or `undefined` where the version has not been published. */
  async hashesOf(part: string, version: string): Promise<FileHashes | undefined> {
    const text = await readIfThere(join(this.#versionDirectory(part, version), fileHashesFile));
    return text === undefined ? undefined : fileHashes.parse(JSON.parse(text));
  }

  async readFile(part: string, version: string, file: string): Promise<string> {
    return readFile(join(this.#versionDirectory(part, version), file), 'utf8');
  }

  async readBytes(part: string, version: string, file: string): Promise<Uint8Array> {
    return readFile(join(this.#versionDirectory(part, version), file));
  }

  /** Stores a version with compressed copies of its files. It appears whole or not at all. */
  async addVersion(
    part: string,
    version: string,
    files: ReadonlyMap<string, Uint8Array>,
    hashes: FileHashes,
  ): Promise<void> {
    const staging = join(this.#directory, 'staging', randomUUID());
    await Promise.all([...files].map(([name, bytes]) => this.#writeWithCopies(staging, name, bytes)));
    await writeFile(join(staging, fileHashesFile), `${JSON.stringify(hashes, null, 2)}\n`);
    const target = this.#versionDirectory(part, version);
    await mkdir(dirname(target), { recursive: true });
    try {
      await rename(staging, target);
    } catch (error) {
      await rm(staging, { recursive: true, force: true });
      throw new ReleaseFault(`${part} ${version} could not be stored in ${target}.`, { cause: error });
    }
  }

  /** What is live, or `undefined` before the first release. Throws a {@link ReleaseFault} when it is damaged. */
  async readLive(): Promise<ReleaseDocument | undefined> {
    const text = await readIfThere(this.#liveFile);
    if (text === undefined) return undefined;
    try {
      return releaseDocument.parse(JSON.parse(text));
    } catch (cause) {
      throw new ReleaseFault(
        `${this.#liveFile} is damaged. Put a copy of it back, or remove it and promote every part again.`,
        { cause },
      );
    }
  }

  async writeLive(document: ReleaseDocument): Promise<void> {
    await writeAtomically(this.#liveFile, `${JSON.stringify(document, null, 2)}\n`);
  }

  /** Replaces a page, or a file beside it. Its compressed copies are in place before the file itself. */
  async writePage(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    for (const [suffix, copy] of Object.entries(await compressedCopies(name, bytes))) {
      await writeAtomically(join(this.pagesDirectory, `${name}${suffix}`), copy);
    }
    await writeAtomically(join(this.pagesDirectory, name), bytes);
  }

  /** Removes what an earlier shell put beside the pages, and this one no longer has. */
  async keepPages(names: readonly string[]): Promise<void> {
    const kept = new Set(names.flatMap((name) => ['', '.br', '.gz'].map((suffix) => `${name}${suffix}`)));
    const left = (await readdir(this.pagesDirectory)).filter((name) => !kept.has(name));
    await Promise.all(left.map((name) => rm(join(this.pagesDirectory, name))));
  }

  async #writeWithCopies(directory: string, name: string, bytes: Uint8Array): Promise<void> {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    const copies = await compressedCopies(name, bytes);
    for (const [suffix, content] of Object.entries({ '': bytes, ...copies })) {
      await writeFile(`${path}${suffix}`, content);
    }
  }

  get #liveFile(): string {
    return join(this.#directory, 'live.json');
  }

  #versionDirectory(part: string, version: string): string {
    return join(this.partsDirectory, part, version);
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
