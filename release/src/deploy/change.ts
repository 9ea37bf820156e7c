import type { ReleaseContent, RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';
import { isDeepStrictEqual } from 'node:util';
import { remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { readRemote, readShell } from '../store/stored-version.ts';

/** A requested change of the page. */
export type Change =
  /** Makes versions live for all visitors, and ends a canary of the same version. */
  | { readonly action: 'promote'; readonly versions: Readonly<Partial<Record<PartName, string>>> }
  /** Gives a version to a share of visitors. */
  | {
      readonly action: 'canary';
      readonly part: RemoteName;
      readonly version: string;
      /** From 0 to 100. */
      readonly percent: number;
      /** As below. */
      readonly expected?: CanarySnapshot;
    }
  /** Promotes or ends a canary. Throws {@link CanaryChanged} if the canary differs from `expected` (compare-and-swap). */
  | { readonly action: 'promote' | 'rollback'; readonly part: RemoteName; readonly expected: CanarySnapshot }
  /** Ends the canary if there is one, else restores the previous version, or the given one. */
  | {
      readonly action: 'rollback';
      readonly part: PartName;
      readonly version?: string | undefined;
      /** Withdraws the versions that the rollback removes from the page. */
      readonly withdraw?: boolean | undefined;
    }
  /** Removes a version that is not live from everything that visitors and developers can request. */
  | { readonly action: 'withdraw'; readonly part: PartName; readonly version: string }
  /** Allows a withdrawn version to be published and released again. */
  | { readonly action: 'reinstate'; readonly part: PartName; readonly version: string }
  /** Composes the page again, so that a changed configuration takes effect. */
  | { readonly action: 'compose' };

/** The properties of a canary on which its assessment depends. */
export interface CanarySnapshot {
  readonly version: string;
  /** From 0 to 100. */
  readonly percent: number;
  /** The live version that it was compared with. */
  readonly live: string;
}

/** Another command changed the canary after its assessment. */
export class CanaryChanged extends ReleaseError {
  override readonly name = 'CanaryChanged';

  constructor(part: RemoteName, { version }: CanarySnapshot) {
    super(`${part} ${version} is no longer the canary that was assessed. Check "status", then watch again.`);
  }
}

type Rollback = Extract<Change, { readonly withdraw?: unknown }>;

/** The state after a change. Throws a {@link ReleaseError} if the change is not possible. */
export async function applyChange(
  store: ReleaseStore,
  live: ReleaseContent | undefined,
  change: Change,
): Promise<ReleaseContent> {
  switch (change.action) {
    case 'promote':
      if ('expected' in change) {
        assertUnchangedCanary(live, change.part, change.expected);
        return promote(store, live, { [change.part]: change.expected.version });
      }
      return promote(store, live, change.versions);
    case 'canary': {
      if (change.expected) assertUnchangedCanary(live, change.part, change.expected);
      const version = await readRemote(store, change.part, change.version);
      return withRemote(requireLive(live), change.part, (before) => startCanary(before, version, change));
    }
    case 'rollback':
      if ('expected' in change) assertUnchangedCanary(live, change.part, change.expected);
      return rollBack(store, requireLive(live), 'expected' in change ? { part: change.part } : change);
    case 'withdraw':
      return withoutVersion(requireLive(live), change.part, change.version);
    case 'reinstate':
    case 'compose':
      return requireLive(live);
  }
}

/**
 * Throws a {@link ReleaseError} if a change that starts from the live state of its part, such as a rollback to the version
 * before, would now start from another state than at first.
 */
export function assertSameStart(
  change: Change,
  first: ReleaseContent | undefined,
  now: { readonly release: ReleaseContent; readonly entry: AuditEntry } | undefined,
): void {
  if (change.action !== 'rollback' || 'expected' in change) return;
  const { part, version, withdraw = false } = change;
  if (version !== undefined && !withdraw) return;
  const stateIn = (content: ReleaseContent | undefined) =>
    part === 'shell' ? content?.shell : content?.remotes[part];
  if (!now || isDeepStrictEqual(stateIn(first), stateIn(now.release))) return;
  const { who, sequence } = now.entry;
  throw new ReleaseError(
    `${part} was changed while this change of it was prepared; the newest entry of the log is ${sequence}, by ${who}. Nothing was changed. Check "status", then decide again.`,
  );
}

function requireLive(live: ReleaseContent | undefined): ReleaseContent {
  if (!live) throw new ReleaseError('No shell is live yet. Publish and promote the shell first.');
  return live;
}

async function promote(
  store: ReleaseStore,
  live: ReleaseContent | undefined,
  versions: Readonly<Partial<Record<PartName, string>>>,
): Promise<ReleaseContent> {
  const shell = versions.shell ? await readShell(store, versions.shell) : requireLive(live).shell;
  let next: ReleaseContent = { schemaVersion: 1, shell, remotes: live?.remotes ?? {} };
  for (const name of remoteNames) {
    const version = versions[name];
    if (version === undefined) continue;
    const stored = await readRemote(store, name, version);
    next = withRemote(next, name, (before) => promoteRemote(before, stored));
  }
  return next;
}

function promoteRemote(before: RemoteRelease | undefined, next: RemoteVersion): RemoteRelease {
  const { canary, ...rest } = before ?? { live: next };
  const kept = canary && canary.version.version !== next.version ? { canary } : {};
  if (rest.live.version === next.version) return { ...rest, live: next, ...kept };
  // A rollback. The removed version has failed, so it must not become the fallback.
  if (rest.previous?.version === next.version) return { live: next, ...kept };
  return { live: next, previous: rest.live, ...kept };
}

function startCanary(
  before: RemoteRelease | undefined,
  version: RemoteVersion,
  { part, percent }: { part: RemoteName; percent: number },
): RemoteRelease {
  if (!before) {
    throw new ReleaseError(`${part} has no live version to compare with. Promote one first.`);
  }
  if (before.live.version === version.version) {
    throw new ReleaseError(`${part} ${version.version} is live for everybody. Name another version.`);
  }
  return { ...before, canary: { version, percent } };
}

/** Snapshot of a part's canary, or `undefined` if the part has none. */
export function canaryOf(content: ReleaseContent | undefined, part: RemoteName): CanarySnapshot | undefined {
  const { live, canary } = content?.remotes[part] ?? {};
  if (!live || !canary) return undefined;
  return { version: canary.version.version, percent: canary.percent, live: live.version };
}

/** Whether an assessment of one snapshot is valid for the other. */
export function isSameCanary(one: CanarySnapshot, other: CanarySnapshot | undefined): boolean {
  return one.version === other?.version && one.percent === other.percent && one.live === other.live;
}

function assertUnchangedCanary(
  live: ReleaseContent | undefined,
  part: RemoteName,
  expected: CanarySnapshot,
): void {
  if (!isSameCanary(expected, canaryOf(live, part))) throw new CanaryChanged(part, expected);
}

function withoutCanary({ live, previous }: RemoteRelease): RemoteRelease {
  return previous ? { live, previous } : { live };
}

async function rollBack(
  store: ReleaseStore,
  live: ReleaseContent,
  { part, version, withdraw = false }: Omit<Rollback, 'action'>,
): Promise<ReleaseContent> {
  const next = await withPreviousVersion(store, live, part, version);
  if (!withdraw) return next;
  const removed = removedVersions(part, live, next);
  if (removed.length === 0) {
    throw new ReleaseError(
      `${part} ${version ?? ''} is live already, so the rollback withdraws nothing. Name what to withdraw: withdraw ${part} <version>.`,
    );
  }
  return removed.reduce((content, bad) => withoutVersion(content, part, bad), next);
}

async function withPreviousVersion(
  store: ReleaseStore,
  live: ReleaseContent,
  part: PartName,
  version: string | undefined,
): Promise<ReleaseContent> {
  if (part === 'shell') {
    if (version === undefined) {
      throw new ReleaseError(
        'A rollback of the shell needs a version. Use: rollback shell <version>. "history" lists the versions.',
      );
    }
    return { ...live, shell: await readShell(store, version) };
  }
  const before = live.remotes[part];
  if (!before) throw new ReleaseError(`${part} is not live. There is nothing to roll back.`);
  if (version === undefined && before.canary) {
    return withRemote(live, part, () => withoutCanary(before));
  }
  const target = version === undefined ? before.previous : await readRemote(store, part, version);
  if (!target) {
    throw new ReleaseError(
      `${part} has no version before ${before.live.version}. Name one: rollback ${part} <version>.`,
    );
  }
  return withRemote(live, part, () => ({ live: target }));
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

function servedVersions(part: PartName, { shell, remotes }: ReleaseContent): readonly string[] {
  if (part === 'shell') return [shell.version];
  const { live, canary } = remotes[part] ?? {};
  return [live, canary?.version].flatMap((remote) => remote?.version ?? []);
}

/** The state without a version as canary or previous version. */
function withoutVersion(live: ReleaseContent, part: PartName, version: string): ReleaseContent {
  const remote = part === 'shell' ? undefined : live.remotes[part];
  if ((part === 'shell' ? live.shell : remote?.live)?.version === version) {
    throw new ReleaseError(
      `${part} ${version} is live. Take it off the page: rollback ${part} --withdraw, or promote another version first.`,
    );
  }
  if (part === 'shell' || !remote) return live;
  const { previous, canary } = remote;
  return withRemote(live, part, () => ({
    live: remote.live,
    ...(previous && previous.version !== version ? { previous } : {}),
    ...(canary && canary.version.version !== version ? { canary } : {}),
  }));
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
