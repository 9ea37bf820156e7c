import type { ReleaseContent, RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';
import { remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';

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

/** The state without a version as canary or previous version. Throws a {@link ReleaseError} if the version is live. */
export function withoutVersion(content: ReleaseContent, part: PartName, version: string): ReleaseContent {
  if (liveVersion(part, content) === version) {
    throw new ReleaseError(
      `${part} ${version} is live. Take it off the page: rollback ${part} --withdraw, or promote another version first.`,
    );
  }
  const remote = part === 'shell' ? undefined : content.remotes[part];
  if (part === 'shell' || !remote) return content;
  const { live, previous, canary } = remote;
  return withRemote(content, part, () => ({
    live,
    ...(previous && previous.version !== version ? { previous } : {}),
    ...(canary && canary.version.version !== version ? { canary } : {}),
  }));
}

export function liveVersion(part: PartName, { shell, remotes }: ReleaseContent): string | undefined {
  return part === 'shell' ? shell.version : remotes[part]?.live.version;
}

/** Versions of a part that are live or a canary before a change, and neither after it. */
export function removedVersions(
  part: PartName,
  before: ReleaseContent,
  after: ReleaseContent,
): readonly string[] {
  const left = servedVersions(part, after);
  return servedVersions(part, before).filter((version) => !left.includes(version));
}

function servedVersions(part: PartName, content: ReleaseContent): readonly string[] {
  const canary = part === 'shell' ? undefined : content.remotes[part]?.canary?.version.version;
  return [liveVersion(part, content), canary].filter((version) => version !== undefined);
}
