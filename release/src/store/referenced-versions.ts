import type { ReleaseContent } from '@countersign/contracts/release-document';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';

/** The versions that a state of the page refers to and the state before it does not. */
export function newlyReferencedVersions(
  before: ReleaseContent | undefined,
  next: ReleaseContent,
): readonly ReferencedVersion[] {
  const known = new Set(
    (before ? referencedVersions(before) : []).map(({ part, version }) => `${part} ${version}`),
  );
  return referencedVersions(next).filter(({ part, version }) => !known.has(`${part} ${version}`));
}
