import type { ReleaseContent, RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';
import { partNames, remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../store/release-error.ts';
import { NothingIsLive, type ReleaseStore } from '../store/release-store.ts';
import { readRemote, readShell } from '../store/stored-version.ts';

/** A requested change of the page. */
export type Change = {
  /** The state of the remote that the change was decided on. The change is refused if the remote has another one by then. */
  readonly expected?: RemoteRelease | undefined;
  /** Whether to ignore a freeze. */
  readonly force?: boolean | undefined;
} & (
  | {
      /** Makes versions live for all visitors, and ends a canary of the same version. */
      readonly kind: 'promote';
      readonly versions: Versions;
    }
  | {
      /** Gives a version to a share of visitors, in place of a running canary. */
      readonly kind: 'canary';
      readonly part: RemoteName;
      readonly version: string;
      /** From 0 to 100. */
      readonly percent: number;
    }
  | {
      /** With a version: makes it live and ends a canary. Without: ends the canary, or restores the previous version if there is none. */
      readonly kind: 'rollback';
      readonly part: PartName;
      readonly version?: string | undefined;
    }
  | {
      /** Removes a version that is not live, previous or canary, and the stored pages that name it. The page stays as it is. */
      readonly kind: 'remove';
      readonly part: PartName;
      readonly version: string;
    }
);

/** Part → version. */
type Versions = Readonly<Partial<Record<PartName, string>>>;

/**
 * The state after a change, in which `remove` changes nothing (`remove-version.ts` does it). Throws a {@link ReleaseError} if the change
 * is not possible.
 */
export async function applyChange(
  store: ReleaseStore,
  current: ReleaseContent | undefined,
  change: Change,
): Promise<ReleaseContent> {
  if (change.kind === 'promote') return promote(store, current, change.versions);
  if (!current) throw new NothingIsLive();
  if (change.kind === 'canary') return startCanary(store, current, change);
  return change.kind === 'rollback' ? rollBack(store, current, change.part, change.version) : current;
}

export function partsOf(change: Change): readonly PartName[] {
  return change.kind === 'promote'
    ? partNames.filter((part) => change.versions[part] !== undefined)
    : [change.part];
}

/** The version of a part that is live for everybody. */
export function liveVersion(part: PartName, { shell, remotes }: ReleaseContent): string | undefined {
  return part === 'shell' ? shell.version : remotes[part]?.live.version;
}

async function promote(
  store: ReleaseStore,
  current: ReleaseContent | undefined,
  versions: Versions,
): Promise<ReleaseContent> {
  const shell = versions.shell === undefined ? current?.shell : await readShell(store, versions.shell);
  if (!shell) throw new NothingIsLive();
  let next: ReleaseContent = { schemaVersion: 1, shell, remotes: current?.remotes ?? {} };
  for (const name of remoteNames) {
    const version = versions[name];
    if (version === undefined) continue;
    const stored = await readRemote(store, name, version);
    next = withRemote(next, name, (before) => withLive(before, stored));
  }
  return next;
}

async function startCanary(
  store: ReleaseStore,
  current: ReleaseContent,
  { part, version, percent }: Extract<Change, { kind: 'canary' }>,
): Promise<ReleaseContent> {
  const stored = await readRemote(store, part, version);
  return withRemote(current, part, (before) => {
    if (!before) throw new ReleaseError(`${part} has no live version to compare with. Promote one first.`);
    if (before.live.version === version) {
      throw new ReleaseError(`${part} ${version} is live for everybody. Name another version.`);
    }
    return { ...before, canary: { version: stored, percent } };
  });
}

/** Restores the given version; without one, ends the canary or restores the previous version. */
async function rollBack(
  store: ReleaseStore,
  current: ReleaseContent,
  part: PartName,
  version: string | undefined,
): Promise<ReleaseContent> {
  if (part === 'shell') {
    if (version === undefined) {
      throw new ReleaseError(
        'A rollback of the shell needs a version. Use: rollback shell <version>. "history" lists the versions.',
      );
    }
    return { ...current, shell: await readShell(store, version) };
  }
  const before = current.remotes[part];
  if (!before) throw new ReleaseError(`${part} is not live. There is nothing to roll back.`);
  if (version === undefined && before.canary) return withRemote(current, part, () => withoutCanary(before));
  const target = version === undefined ? before.previous : await readRemote(store, part, version);
  if (!target) {
    throw new ReleaseError(
      `${part} has no version before ${before.live.version}. Name one: rollback ${part} <version>.`,
    );
  }
  // Without `previous`, because pages must not fall back to the version that is rolled back. A canary ends too.
  return withRemote(current, part, () => ({ live: target }));
}

/** Updates a remote. Keeps remotes in a fixed order, because the release ID is a hash of the pages. */
function withRemote(
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

/** Makes a version live. The version before becomes the fallback, unless the promotion goes back to the previous one. */
function withLive(before: RemoteRelease | undefined, next: RemoteVersion): RemoteRelease {
  const { canary, ...rest } = before ?? { live: next };
  const kept = canary && canary.version.version !== next.version ? { canary } : {};
  if (rest.live.version === next.version) return { ...rest, live: next, ...kept };
  // Going back to the previous version means that the live one has failed, so it must not become the fallback.
  if (rest.previous?.version === next.version) return { live: next, ...kept };
  return { live: next, previous: rest.live, ...kept };
}

function withoutCanary({ live, previous }: RemoteRelease): RemoteRelease {
  return previous ? { live, previous } : { live };
}
