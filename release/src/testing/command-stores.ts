import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryStore } from '../store/directory-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { startObjectServer } from './object-server.ts';

/** A store, with the environment variables of a command that uses it. */
export interface CommandStore {
  readonly objects: ObjectStore;
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens empty stores of one kind. Disposing of it removes them. */
export interface CommandStores extends AsyncDisposable {
  /** Temporary folder of a test. */
  readonly directory: string;
  open(): Promise<CommandStore>;
}

async function openDirectories(): Promise<CommandStores> {
  const directory = await mkdtemp(join(tmpdir(), 'release-stores-'));
  return {
    directory,
    async open() {
      const data = await mkdtemp(join(directory, 'data-'));
      return { objects: new DirectoryStore(join(data, 'site')), environment: { DATA_DIR: data } };
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

async function openBuckets(): Promise<CommandStores> {
  const directory = await mkdtemp(join(tmpdir(), 'release-stores-'));
  const server = await startObjectServer();
  return {
    directory,
    // The page size of a real server, because these tests list thousands of times.
    open: async () => server.openStore(1000),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** All kinds of stores. */
export const commandStores: Readonly<Record<string, () => Promise<CommandStores>>> = {
  directory: openDirectories,
  bucket: openBuckets,
};
