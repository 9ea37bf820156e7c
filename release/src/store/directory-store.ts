import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isMissingFile } from '../is-missing-file.ts';
import { ReleaseFault } from '../release-fault.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Link to the folder that visitors get at the root of the site. */
const servedAtRoot = 'current';
/** Folder of files and links that are not where they belong yet. */
const staging = 'staging';
/** How many states of a replaceable object keep their content beside the last. */
const statesKept = 10;
/** Name of a state in its folder. Anything else there, such as `.DS_Store`, is none. */
const stateName = /^\d{10}$/;
/** Files that operating systems and network file systems leave in folders. */
const foreignFile = /^(?:\.DS_Store|\.nfs[0-9a-f]+|Thumbs\.db)$/;

/**
 * Keeps objects as files. An object that is replaced is a folder of numbered states, of which the highest counts: the
 * file system lets a name be linked only once, so of two who write the next state one is refused, without a lock that a
 * crash could leave behind. A state that nobody can need any more is emptied, not removed: a name that is free again
 * could be taken by somebody who has slept since.
 */
export class DirectoryStore implements ObjectStore {
  readonly where: string;

  constructor(directory: string) {
    this.where = directory;
  }

  /** Folder that is served at the root of the site. */
  get rootDirectory(): string {
    return join(this.where, servedAtRoot);
  }

  /** Path of the file of an object that never changes. */
  pathOf(key: string): string {
    return join(this.where, key);
  }

  async read(key: string): Promise<StoredObject | undefined> {
    for (let emptied = 0; ;) {
      const last = await this.#lastState(key);
      // Before it was ever replaced, it may lie at its own path.
      const path = last === 0 ? this.pathOf(key) : this.#statePath(key, last);
      const bytes = await ifThere(readFile(path));
      if (!bytes) return undefined;
      if (last === 0 || bytes.length > 0) return { bytes, tag: String(last) };
      if (last === emptied) {
        throw new ReleaseFault(
          `${path} is empty, so what is live is not known. Copy a backup of it there, or the file before it in the same folder.`,
        );
      }
      // Emptied since the folder was read, because there are many newer states.
      emptied = last;
    }
  }

  async create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    const draft = await this.#draft(bytes);
    return this.#link(draft, this.pathOf(key));
  }

  async replace(key: string, bytes: Uint8Array, tag: string | undefined): Promise<'replaced' | 'changed'> {
    const next = Number(tag ?? 0) + 1;
    const draft = await this.#draft(bytes);
    if ((await this.#link(draft, this.#statePath(key, next))) === 'exists') return 'changed';
    if (next > statesKept) {
      await rename(await this.#draft(new Uint8Array()), this.#statePath(key, next - statesKept));
    }
    return 'replaced';
  }

  async list(prefix: string): Promise<readonly string[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    try {
      const entries = await readdir(this.pathOf(folder), { recursive: true, withFileTypes: true });
      return (
        entries
          // A link is served as the file that it leads to.
          .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !foreignFile.test(entry.name))
          .map((entry) => relative(this.where, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
          .filter((key) => key.startsWith(prefix))
          .sort()
      );
    } catch (error) {
      if (isMissingFile(error)) return [];
      throw error;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.pathOf(key), { force: true });
  }

  async leftovers(before: Date): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of await namesIn(this.pathOf(staging))) {
      const key = `${staging}/${name}`;
      const begun = await ifThere(lstat(this.pathOf(key)));
      if (begun && begun.mtime < before) found.push(key);
    }
    return found;
  }

  async serveAtRoot(prefix: string, isWanted: () => Promise<boolean>): Promise<'served' | 'overtaken'> {
    if (!(await isWanted())) return 'overtaken';
    const draft = await this.#newDraft();
    await symlink(prefix, draft);
    // A file system renames a link in one step.
    await rename(draft, this.rootDirectory);
    await syncDirectory(this.where);
    return 'served';
  }

  /** Number of the newest state of a replaceable object; 0 before there is one. */
  async #lastState(key: string): Promise<number> {
    const names = await namesIn(this.#statesDirectory(key));
    return Math.max(0, ...names.filter((name) => stateName.test(name)).map(Number));
  }

  #statesDirectory(key: string): string {
    return `${this.pathOf(key)}.states`;
  }

  #statePath(key: string, state: number): string {
    return join(this.#statesDirectory(key), String(state).padStart(10, '0'));
  }

  /** Writes a whole file where nobody looks, and returns its path. */
  async #draft(bytes: Uint8Array): Promise<string> {
    const path = await this.#newDraft();
    const file = await open(path, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    return path;
  }

  /** Path for something that gets its name later. */
  async #newDraft(): Promise<string> {
    await mkdir(this.pathOf(staging), { recursive: true });
    return join(this.pathOf(staging), randomUUID());
  }

  /** Gives a draft a name that nobody has yet. */
  async #link(draft: string, path: string): Promise<'created' | 'exists'> {
    try {
      await mkdir(dirname(path), { recursive: true });
      await link(draft, path);
      await syncDirectory(dirname(path));
      return 'created';
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'exists';
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}

/** The names in a folder; none where it is missing. */
async function namesIn(path: string): Promise<readonly string[]> {
  return (await ifThere(readdir(path))) ?? [];
}

/** What is found, or `undefined` where there is nothing. */
async function ifThere<Found>(search: Promise<Found>): Promise<Found | undefined> {
  try {
    return await search;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** A new name is durable when its folder is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
