import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryStore } from '../store/directory-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { startObjectServer } from './object-server.ts';

/** A store, and the variables with which a command finds it. */
export interface CommandStore {
  readonly objects: ObjectStore;
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens new, empty stores of one kind. Disposing of it takes them away. */
export interface CommandStores extends AsyncDisposable {
  /** For whatever a test writes beside the stores. */
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
    open: async () => server.openStore(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** Every kind of store there is. */
export const commandStores: Readonly<Record<string, () => Promise<CommandStores>>> = {
  directory: openDirectories,
  bucket: openBuckets,
};
