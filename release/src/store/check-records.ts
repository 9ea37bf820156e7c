import { hash } from 'node:crypto';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type * as z from 'zod';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const setsPrefix = 'checks/opened/';
/**
 * @param content that of a release with live versions only
 * @param invariants the names of those that the check knows
 */
const setKey = ({ shell, remotes }: ReleaseContent, siteConfig: SiteConfig, invariants: readonly string[]) =>
  `${setsPrefix}${hash('sha256', JSON.stringify([shell, remotes, invariants]) + settingsText(siteConfig))}`;
const observationKey = (name: string) => `checks/live/${name}.json`;

/** Equal for equal settings, which a command has in another order than the stored document. */
export const settingsText = (siteConfig: SiteConfig) =>
  JSON.stringify(siteConfig, Object.keys(siteConfig).sort());

/**
 * Records of the check, so that it opens no page twice: the sound sets of versions, one of each part, whose pages had no violation, and
 * how its visitors saw the live page. A set has an object, whose name is a hash of the versions with their files, of the site's
 * configuration and of the names of the invariants. Writes never fail, because a page can be opened again.
 */
export class CheckRecords {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  async wasSound(...set: Parameters<typeof setKey>): Promise<boolean> {
    return (await this.#objects.read(setKey(...set))) !== undefined;
  }

  async addSound(...set: Parameters<typeof setKey>): Promise<void> {
    await this.#objects.create(setKey(...set), new Uint8Array()).catch(() => undefined);
  }

  /** Forgets the sets. */
  async clearSound(): Promise<void> {
    await this.#objects.remove(await this.#objects.list(setsPrefix));
  }

  /** How a visitor saw the live page; `undefined` if there is no such observation, or a damaged one. */
  async readObservation<Schema extends z.core.$ZodType>(
    name: string,
    schema: Schema,
  ): Promise<z.infer<Schema> | undefined> {
    return unlessDamaged(readJson(this.#objects, observationKey(name), schema));
  }

  async writeObservation(name: string, observation: unknown): Promise<void> {
    await this.#objects.overwrite(observationKey(name), encodeJson(observation)).catch(() => undefined);
  }
}
