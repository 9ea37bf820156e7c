import type { ReleaseContent, RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';
import { remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';

/** Updates a remote. Keeps remotes in a fixed order, because the release ID is a hash of the pages. */
export function withRemote(
  content: ReleaseContent,
  name: RemoteName,
  update: (before: RemoteRelease | undefined) => RemoteRelease,
): ReleaseContent {
  const updated = { ...content.remotes, [name]: update(content.remotes[name]) };
  const remotes: ReleaseContent['remotes'] = {};
  for (const known of remoteNames) {
    const remote = updated[known];
    if (remote) remotes[known] = remote;
  }
  return { schemaVersion: content.schemaVersion, shell: content.shell, remotes };
}

/** Makes a version live. The version before becomes the fallback, unless the promotion goes back to an earlier one. */
export function withLive(before: RemoteRelease | undefined, next: RemoteVersion): RemoteRelease {
  const { canary, ...rest } = before ?? { live: next };
  const kept = canary && canary.version.version !== next.version ? { canary } : {};
  if (rest.live.version === next.version) return { ...rest, live: next, ...kept };
  // A rollback. The removed version has failed, so it must not become the fallback.
  if (rest.previous?.version === next.version) return { live: next, ...kept };
  return { live: next, previous: rest.live, ...kept };
}

export function withoutCanary({ live, previous }: RemoteRelease): RemoteRelease {
  return previous ? { live, previous } : { live };
}

export function liveVersion(part: PartName, { shell, remotes }: ReleaseContent): string | undefined {
  return part === 'shell' ? shell.version : remotes[part]?.live.version;
}
