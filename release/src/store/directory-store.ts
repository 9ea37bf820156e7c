import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hasErrorCode, undefinedIfMissing } from '../platform/errors.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Folder of temporary files and links. */
const staging = 'staging';
/** File name of a state. Other files in the folder, such as `.DS_Store`, are ignored. */
const stateName = /^\d{10}$/;

/**
 * Stores objects as files. A replaceable object, whose key has no "/", is a folder of numbered states; the highest is current. `link()`
 * fails if the name exists, so it is a compare-and-swap without a lock that a crash could leave behind. Old states stay, because a
 * suspended writer could reuse a free name (ABA problem).
 */
export class DirectoryStore implements ObjectStore {
  readonly displayName: string;
  /** `current` is a symbolic link to the folder that is served at the root of the site. */
  readonly currentPrefix = 'current/';
  readonly #directory: string;

  constructor(directory: string) {
    this.displayName = directory;
    this.#directory = directory;
  }

  /** Path of an immutable object, or of a folder of them. */
  pathOf(key: string): string {
    return join(this.#directory, key);
  }

  async read(key: string): Promise<StoredObject | undefined> {
    const last = await this.#lastState(key);
    // An object that was never replaced has no states.
    const path = last === 0 ? this.pathOf(key) : this.#statePath(key, last);
    const bytes = await undefinedIfMissing(readFile(path));
    return bytes && { bytes, tag: String(last) };
  }

  async readIfChanged(key: string, tag: string): Promise<StoredObject | 'unchanged' | undefined> {
    const found = await this.read(key);
    return found?.tag === tag ? 'unchanged' : found;
  }

  async create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    return this.#link(await this.#draft(bytes), this.pathOf(key));
  }

  async replace(key: string, bytes: Uint8Array, tag: string | undefined): Promise<'replaced' | 'changed'> {
    const state = this.#statePath(key, Number(tag ?? 0) + 1);
    const outcome = await this.#link(await this.#draft(bytes), state);
    return outcome === 'created' ? 'replaced' : 'changed';
  }

  async overwrite(key: string, bytes: Uint8Array): Promise<void> {
    const draft = await this.#draft(bytes);
    const path = this.pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    await rename(draft, path);
    await syncDirectory(dirname(path));
  }

  async list(prefix: string): Promise<readonly string[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = (await undefinedIfMissing(readdir(this.pathOf(folder), options))) ?? [];
    return (
      entries
        // Includes symbolic links, because the site server follows them, so `status --verify` must find foreign ones.
        .filter((entry) => entry.isFile() || entry.isSymbolicLink())
        .map((entry) => relative(this.#directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((key) => key.startsWith(prefix))
        .sort()
    );
  }

  // Not synchronised: what a crash brings back is unused, and can be removed again.
  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.pathOf(key), { force: true });
  }

  async linkCurrent(prefix: string): Promise<void> {
    const draft = await this.#newDraft();
    // The target is relative to the folder of the store, where `rename` replaces the link atomically.
    await symlink(prefix, draft);
    await rename(draft, this.pathOf('current'));
    await syncDirectory(this.#directory);
  }

  /** Number of the current state of a replaceable object; 0 if there is none. */
  async #lastState(key: string): Promise<number> {
    // A file of a build could be named like a state, so only objects outside of all folders are replaceable.
    if (key.includes('/')) return 0;
    const names = (await undefinedIfMissing(readdir(this.#statesDirectory(key)))) ?? [];
    return Math.max(0, ...names.filter((name) => stateName.test(name)).map(Number));
  }

  #statesDirectory(key: string): string {
    return `${this.pathOf(key)}.states`;
  }

  #statePath(key: string, state: number): string {
    return join(this.#statesDirectory(key), String(state).padStart(10, '0'));
  }

  /** Writes a temporary file, syncs it, and returns its path. */
  async #draft(bytes: Uint8Array): Promise<string> {
    const path = await this.#newDraft();
    const file = await open(path, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } catch (error) {
      // A full disk must not fill further.
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return path;
  }

  async #newDraft(): Promise<string> {
    await mkdir(this.pathOf(staging), { recursive: true });
    return join(this.pathOf(staging), randomUUID());
  }

  /** Links a temporary file to a path that must not exist yet. */
  async #link(draft: string, path: string): Promise<'created' | 'exists'> {
    try {
      await mkdir(dirname(path), { recursive: true });
      await link(draft, path);
      await syncDirectory(dirname(path));
      return 'created';
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) return 'exists';
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}

/** Syncs a folder, which makes new names in it durable. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
