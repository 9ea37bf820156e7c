import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import type { ReleaseDocument } from '@countersign/contracts/release-document';

/** The release with one part replaced. The live version takes its place where it fails. */
export function applyOverride(
  release: ReleaseDocument,
  { part, version }: DeveloperOverride,
): ReleaseDocument {
  const live = release.remotes[part]?.live;
  const remote =
    live && live.version !== version.version ? { live: version, previous: live } : { live: version };
  return { ...release, remotes: { ...release.remotes, [part]: remote } };
}
