import type { ReleaseContent, RemoteVersion } from '@countersign/contracts/release-document';
import type { PartState } from '@countersign/contracts/release-versions';
import type { Versions } from '../store/versions.ts';

/** The content of a release with these versions, whose files are not stored. */
export function sampleContent({
  shell: { live: liveVersion, ...others } = { live: '1.0.0' },
  ...remotes
}: Versions<PartState>): ReleaseContent {
  const releases = Object.entries(remotes).map(([part, { live: liveVersion, previous, canary }]) => {
    const remote = {
      live: versionOf(part, liveVersion),
      ...(previous !== undefined && { previous: versionOf(part, previous) }),
      ...(canary && { canary: { ...canary, version: versionOf(part, canary.version) } }),
    };
    return [part, remote] as const;
  });
  const shell = { version: liveVersion, scripts: [], styles: [], ...others };
  return { schemaVersion: 1, shell, remotes: Object.fromEntries(releases) };
}

const versionOf = (part: string, version: string): RemoteVersion => ({
  version,
  globalName: part,
  entry: { url: `/${part}/${version}/entry.js`, integrity: '' },
  exposes: {},
});
