import type { ObjectStore } from './object-store.ts';
import { encode } from './stored-json.ts';

/** No server or CDN of the public site serves this prefix. */
const key = 'board/index.html';

/** The release board. A board of a later change replaces it. */
export class StoredBoard {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  async read(): Promise<Uint8Array | undefined> {
    return (await this.#objects.read(key))?.bytes;
  }

  async write(html: string): Promise<void> {
    await this.#objects.overwrite(key, encode(html));
  }
}
