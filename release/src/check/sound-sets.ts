import { hash } from 'node:crypto';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ObjectStore } from '../store/object-store.ts';
import { invariantNames } from './invariants/invariants.ts';
import { settingsText } from './release-candidate.ts';

const prefix = 'checks/opened/';

/** Whether the page was opened with a set before without a violation, by a check that knew the same invariants. */
export async function wasSound(objects: ObjectStore, ...set: Parameters<typeof keyOf>): Promise<boolean> {
  return (await objects.read(keyOf(...set))) !== undefined;
}

/** Remembers a sound set, so that no check opens its page again. Never fails, because a page can be opened again. */
export async function addSound(objects: ObjectStore, ...set: Parameters<typeof keyOf>): Promise<void> {
  await objects.create(keyOf(...set), new Uint8Array()).catch(() => undefined);
}

/** Forgets all sets. */
export async function clearSound(objects: ObjectStore): Promise<void> {
  await objects.remove(await objects.list(prefix));
}

/**
 * A set has an object, whose name is a hash of the versions with their files, of the settings, and of the names of the invariants.
 *
 * @param content that of a release with live versions only
 */
function keyOf({ shell, remotes }: ReleaseContent, siteConfig: SiteConfig): string {
  const set = JSON.stringify([shell, remotes, invariantNames]) + settingsText(siteConfig);
  return `${prefix}${hash('sha256', set)}`;
}
