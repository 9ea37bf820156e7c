import type * as z from 'zod';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const keyOf = (name: string) => `checks/live/${name}.json`;

/** How visitors of the check saw the live page, so that it is opened once for many checks. */
export class LiveViews {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** `undefined` if there is none, or a damaged one. */
  async read<Schema extends z.core.$ZodType>(
    name: string,
    schema: Schema,
  ): Promise<z.infer<Schema> | undefined> {
    return (await unlessDamaged(readJson(this.#objects, keyOf(name), schema)))?.value;
  }

  /** Never fails, because the page can be opened again. */
  async write(name: string, view: unknown): Promise<void> {
    await this.#objects.overwrite(keyOf(name), encodeJson(view)).catch(() => undefined);
  }
}
