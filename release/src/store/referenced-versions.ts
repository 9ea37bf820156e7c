import type { ReleaseContent, RemoteRelease } from '@countersign/contracts/release-document';
import {
  referencedVersions,
  servableVersions,
  type ReferencedVersion,
} from '@countersign/contracts/release-versions';

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

/** A state of the page with one version of each part, for a remote that of `versions` (remote → version) if it is in the state, or the live one. */
export function withLiveOnly(
  content: ReleaseContent,
  versions: ReadonlyMap<string, string> = new Map(),
): ReleaseContent {
  const remotes = Object.entries(content.remotes).map(([name, remote]) => {
    // Only versions of the state, because it has the hashes without which the page refuses their files.
    const wanted = servableVersions(remote).find(({ version }) => version === versions.get(name));
    return [name, { live: wanted ?? remote.live } satisfies RemoteRelease] as const;
  });
  return { ...content, shell: withoutOthers(content.shell), remotes: Object.fromEntries(remotes) };
}

/** The shell without the names of its other versions. */
export function withoutOthers({ version, scripts, styles, later }: ReleaseContent['shell']) {
  return { version, scripts, styles, ...(later && { later }) };
}
