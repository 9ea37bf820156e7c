import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, symlink, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isMissingFile } from '../is-missing-file.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Link to the folder that visitors get at the root of the site. */
const servedAtRoot = 'current';
/** How many states of a replaceable object are kept beside the last. */
const statesKept = 10;

/**
 * Keeps objects as files. An object that is replaced is a folder of numbered states, of which the highest counts: the
 * file system lets a name be linked only once, so of two who write the next state one is refused, without a lock that a
 * crash could leave behind.
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
    const last = (await this.#states(key)).at(-1);
    // Before it was ever replaced, it may lie at its own path.
    const path = last === undefined ? this.pathOf(key) : this.#statePath(key, last);
    try {
      return { bytes: await readFile(path), tag: String(last ?? 0) };
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    return this.#link(this.pathOf(key), bytes);
  }

  async replace(key: string, bytes: Uint8Array, tag: string | undefined): Promise<'replaced' | 'changed'> {
    const next = Number(tag ?? 0) + 1;
    if ((await this.#link(this.#statePath(key, next), bytes)) === 'exists') return 'changed';
    const states = await this.#states(key);
    if (states.at(-1) !== next) {
      // The states in between are gone already: this was the slowest of many.
      await unlink(this.#statePath(key, next));
      return 'changed';
    }
    const old = states.slice(0, -1 - statesKept);
    await Promise.all(old.map((state) => rm(this.#statePath(key, state), { force: true })));
    return 'replaced';
  }

  async list(prefix: string): Promise<readonly string[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    try {
      const entries = await readdir(this.pathOf(folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(this.where, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((key) => key.startsWith(prefix))
        .sort();
    } catch (error) {
      if (isMissingFile(error)) return [];
      throw error;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.pathOf(key), { force: true });
  }

  async serveAtRoot(prefix: string): Promise<void> {
    const draft = `${this.rootDirectory}.${randomUUID()}`;
    await symlink(prefix, draft);
    // A file system renames a link in one step.
    await rename(draft, this.rootDirectory);
    await syncDirectory(this.where);
  }

  /** Numbers of the states of a replaceable object, lowest first. */
  async #states(key: string): Promise<readonly number[]> {
    try {
      const names = await readdir(this.#statesDirectory(key));
      return names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
    } catch (error) {
      if (isMissingFile(error)) return [];
      throw error;
    }
  }

  #statesDirectory(key: string): string {
    return `${this.pathOf(key)}.states`;
  }

  #statePath(key: string, state: number): string {
    return join(this.#statesDirectory(key), String(state).padStart(10, '0'));
  }

  /** Writes a whole file under a name that nobody has yet. */
  async #link(path: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    const draft = join(this.where, 'staging', randomUUID());
    await mkdir(dirname(draft), { recursive: true });
    await mkdir(dirname(path), { recursive: true });
    try {
      const file = await open(draft, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
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

/** A new name is durable when its folder is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
