// No schema library is loaded here, because the page's first script uses these functions.
import type {
  ChunkAssets,
  ReleaseContent,
  ReleaseDocument,
  RemoteRelease,
  RemoteVersion,
} from './release-document.ts';
import type { PartName, RemoteName } from '../page/remotes.ts';

/** A version of a part that a release document refers to. */
export interface ReferencedVersion {
  readonly part: PartName;
  readonly version: string;
}

/** The versions of a remote that a visitor may get: live, previous and canary. */
export function servableVersions({ live, previous, canary }: RemoteRelease): readonly RemoteVersion[] {
  return [live, previous, canary?.version].filter((version) => version !== undefined);
}

/** Every version that a visitor of this release may get: the shell's, and those of each remote. */
export function referencedVersions({ shell, remotes }: ReleaseContent): readonly ReferencedVersion[] {
  const ofRemotes = Object.entries(remotes).flatMap(([name, remote]) =>
    servableVersions(remote).map(({ version }) => ({ part: name as RemoteName, version })),
  );
  return [{ part: 'shell', version: shell.version }, ...ofRemotes];
}

/** All chunks of a version that a release document refers to, lazy ones included. */
export function chunksOf(version: RemoteVersion | ReleaseDocument['shell']): readonly ChunkAssets[] {
  const initial =
    'entry' in version
      ? [{ scripts: [version.entry], styles: [] }, ...Object.values(version.exposes)]
      : [version];
  return version.later ? [...initial, version.later] : initial;
}
