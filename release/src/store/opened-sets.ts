import { hash } from 'node:crypto';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { ObjectStore } from './object-store.ts';

const prefix = 'checks/opened/';

/**
 * The sets of versions, one of each part, with which a browser has opened the page and found nothing wrong. Each has an object, whose
 * name is a hash of the versions with their files, so that no set is opened twice.
 */
export class OpenedSets {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** @param content a state of the page with live versions only */
  async has(content: ReleaseContent): Promise<boolean> {
    return (await this.#objects.read(keyOf(content))) !== undefined;
  }

  /** Never fails, because the set can be opened again. */
  async add(content: ReleaseContent): Promise<void> {
    await this.#objects.create(keyOf(content), new Uint8Array()).catch(() => undefined);
  }

  async clear(): Promise<void> {
    await this.#objects.remove(await this.#objects.list(prefix));
  }
}

const keyOf = ({ shell, remotes }: ReleaseContent) =>
  `${prefix}${hash('sha256', JSON.stringify([shell, remotes]))}`;
