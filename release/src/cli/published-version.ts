import type { PartName } from '@countersign/contracts/remotes';
import { liveVersion } from '../deploy/release-content.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { VersionRecord } from '../store/stored-documents.ts';
import { assertVersionName } from '../store/stored-version.ts';

/** The live version of a part. Throws a {@link ReleaseError} if it is not live. */
export async function liveVersionOf(store: ReleaseStore, part: PartName): Promise<string> {
  const release = (await store.readLive())?.release;
  const live = release && liveVersion(part, release);
  if (live !== undefined) return live;
  throw new ReleaseError(`${part} is not live. ${await publishedVersions(store, part)}`);
}

/** The record of a version. Throws a {@link ReleaseError} if it is not published. */
export async function requireRecord(
  store: ReleaseStore,
  part: PartName,
  version: string,
): Promise<VersionRecord> {
  assertVersionName(version);
  const record = await store.versionRecord(part, version);
  if (record) return record;
  throw new ReleaseError(`${part} ${version} is not published. ${await publishedVersions(store, part)}`);
}

async function publishedVersions(store: ReleaseStore, part: PartName): Promise<string> {
  const versions = await store.versionsOf(part);
  return versions.length === 0
    ? 'Publish it first.'
    : `Name one of its published versions: ${versions.toSorted().join(', ')}.`;
}
