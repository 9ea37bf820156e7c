import { federationManifest, liveManifestFile } from '@countersign/contracts/federation-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { remoteNames } from '@countersign/contracts/remotes';
import type { ReleaseStore } from '../store/release-store.ts';
import { readVersion } from '../store/stored-version.ts';

/**
 * Name → content of the manifests of the live versions, for other hosts. Their URLs are stable, so that releases and rollbacks
 * reach those hosts as well.
 */
export async function composeLiveManifests(
  store: ReleaseStore,
  { remotes }: ReleaseDocument,
): Promise<readonly (readonly [string, string])[]> {
  const manifests = remoteNames.map(async (name) => {
    const version = remotes[name]?.live.version;
    if (version === undefined) return [];
    const { manifest } = await readVersion(store, name, version);
    const content = federationManifest(manifest, `${name}/${version}/`);
    return [[liveManifestFile(name), `${JSON.stringify(content, null, 2)}\n`] as const];
  });
  return (await Promise.all(manifests)).flat();
}
