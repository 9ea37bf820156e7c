// No schema library is loaded here, because the page's first script uses these functions.
import type {
  ChunkAssets,
  ReleaseContent,
  ReleaseDocument,
  RemoteState,
  RemoteVersion,
  ShellCanary,
} from './release-document.ts';
import type { PartName, RemoteName } from '../page/remotes.ts';

/** A version of a part that a release document refers to. */
export interface PartVersion {
  readonly part: PartName;
  readonly version: string;
}

/** The versions of a remote that a visitor may get: live, previous and canary. */
export function servableVersions({ live, previous, canary }: RemoteState): readonly RemoteVersion[] {
  return [live, previous, canary?.version].filter((version) => version !== undefined);
}

/** State of a part: its versions by name. `previous` is the version before the live one. */
export interface PartState {
  readonly live: string;
  readonly previous?: string | undefined;
  readonly canary?: (ShellCanary & Pick<NonNullable<RemoteState['canary']>, 'together'>) | undefined;
}

/** The state of a part in a release; `undefined` if the part is not in it. */
export function stateOf(part: PartName, { shell, remotes }: ReleaseContent): PartState | undefined {
  if (part === 'shell') return { live: shell.version, previous: shell.previous, canary: shell.canary };
  const { live, previous, canary } = remotes[part] ?? {};
  return (
    live && {
      live: live.version,
      previous: previous?.version,
      canary: canary && { ...canary, version: canary.version.version },
    }
  );
}

/** The version of a part that is live in a release; `undefined` without one. */
export function liveVersionOf(part: PartName, content: ReleaseContent | undefined): string | undefined {
  return content && stateOf(part, content)?.live;
}

/** Every version that a visitor of this release may get, and the shell's version before. */
export function versionsIn({ shell, remotes }: ReleaseContent): readonly PartVersion[] {
  const ofRemotes = Object.entries(remotes).flatMap(([name, remote]) =>
    servableVersions(remote).map(({ version }) => ({ part: name as RemoteName, version })),
  );
  const ofShell = [shell.version, shell.previous, shell.canary?.version].filter((name) => name !== undefined);
  return [...ofShell.map((version) => ({ part: 'shell' as const, version })), ...ofRemotes];
}

/** All chunks of a version that a release document refers to, lazy ones included. */
export function chunksOf(version: RemoteVersion | ReleaseDocument['shell']): readonly ChunkAssets[] {
  const initial =
    'entry' in version
      ? [{ scripts: [version.entry], styles: [] }, ...Object.values(version.exposes)]
      : [version];
  return version.later ? [...initial, version.later] : initial;
}
