import * as z from 'zod';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const storedObservation = z.object({
  /** Hash of all that it depends on, such as the page. */
  source: z.string(),
  /** Invariant → items. */
  observation: z.record(z.string(), z.array(z.string()).readonly()),
  /** Width of the window and theme, `390-dark` → PNG in Base64. */
  pictures: z.record(z.string(), z.string()),
});
/** A page, as the check observed it. */
type StoredObservation = Readonly<z.infer<typeof storedObservation>>;

const livePrefix = 'checks/live/';
const liveKey = (name: string) => `${livePrefix}${name}.json`;
const passedPrefix = 'checks/opened/';

/** Results of the check. To add one never fails, because a page can be opened again. */
export class CheckCache {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** The observation of the live page under a name; `undefined` if it has another source. */
  async readLive(name: string, source: string): Promise<StoredObservation | undefined> {
    const found = await unlessDamaged(readJson(this.#objects, liveKey(name), storedObservation));
    return found?.source === source ? found : undefined;
  }

  /** Keeps an observation of the live page, in place of an earlier one. */
  async keepLive(name: string, observed: StoredObservation): Promise<void> {
    await this.#objects.overwrite(liveKey(name), encodeJson(observed)).catch(() => undefined);
  }

  /**
   * Whether a page was opened without a violation.
   *
   * @param name of the set of its versions, or how that begins
   */
  async hasPassedSet(name: string): Promise<boolean> {
    return (await this.#objects.list(`${passedPrefix}${name}`)).length > 0;
  }

  /** Remembers a set that passed, so that a change need not open its page again. */
  async addPassedSet(name: string): Promise<void> {
    await this.#objects.create(`${passedPrefix}${name}`, new Uint8Array()).catch(() => undefined);
  }

  /** Forgets all. */
  async clear(): Promise<void> {
    for (const prefix of [passedPrefix, livePrefix])
      await this.#objects.remove(await this.#objects.list(prefix));
  }
}
