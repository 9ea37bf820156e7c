import type { RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';

/** Every version of a remote that a release names, best first. */
export function versionsOf(release: RemoteRelease | undefined): readonly RemoteVersion[] {
  if (!release) return [];
  const { live, previous, canary } = release;
  return [live, previous, canary?.version].filter((version) => version !== undefined);
}
