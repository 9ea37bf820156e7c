import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import type { ReleaseDocument } from '@countersign/contracts/release-document';

/** Replaces the live version of one part. If the override fails in the browser, the live version takes over. */
export function applyOverride(
  release: ReleaseDocument,
  { part, version }: Pick<DeveloperOverride, 'part' | 'version'>,
): ReleaseDocument {
  const live = release.remotes[part]?.live;
  const remote =
    live && live.version !== version.version ? { live: version, previous: live } : { live: version };
  return { ...release, remotes: { ...release.remotes, [part]: remote } };
}
