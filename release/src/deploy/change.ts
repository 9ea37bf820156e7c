import type { ReleaseDocument, RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';
import { remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { ReleaseFault } from '../release-fault.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { readRemote, readShell } from './stored-version.ts';

/** What somebody wants to change about the page. */
export type Change =
  /** Makes versions live for everybody, and ends a canary of the same version. */
  | { readonly action: 'promote'; readonly versions: Readonly<Partial<Record<PartName, string>>> }
  /** Gives a version to a share of visitors. */
  | {
      readonly action: 'canary';
      readonly part: RemoteName;
      readonly version: string;
      /** From 0 to 100. */
      readonly percent: number;
    }
  /** Promotes a canary or ends it. Throws a {@link CanaryChanged} unless everything about it is as it was judged. */
  | { readonly action: 'promote' | 'rollback'; readonly part: RemoteName; readonly judged: JudgedCanary }
  /** Ends the canary if there is one, else goes back to the version before, or to the one that is named. */
  | {
      readonly action: 'rollback';
      readonly part: PartName;
      readonly version?: string | undefined;
      /** Withdraws the versions that the rollback takes off the page. */
      readonly withdraw?: boolean | undefined;
    }
  /** Takes a version that is not live out of everything that visitors and developers can ask for. */
  | { readonly action: 'withdraw'; readonly part: PartName; readonly version: string }
  /** Lets a withdrawn version be published and released again. */
  | { readonly action: 'reinstate'; readonly part: PartName; readonly version: string }
  /** Writes the page anew, so that a changed configuration shows. */
  | { readonly action: 'compose' };

/** Everything about a canary that a verdict on it depends on. */
export interface JudgedCanary {
  readonly version: string;
  /** From 0 to 100. */
  readonly percent: number;
  /** The live version that it was compared with. */
  readonly live: string;
}

/** A canary is not what it was when it was judged: another command came first. */
export class CanaryChanged extends ReleaseFault {
  override readonly name = 'CanaryChanged';

  constructor(part: RemoteName, { version }: JudgedCanary) {
    super(`${part} ${version} is no longer the canary that was judged. Look at "status", then watch again.`);
  }
}

type Rollback = Extract<Change, { readonly withdraw?: unknown }>;

/** A state of the page that has no name yet. */
export type ReleaseContent = Omit<ReleaseDocument, 'releaseId'>;

/** The state that a change leads to. Throws a {@link ReleaseFault} when it is not possible. */
export async function applyChange(
  store: ReleaseStore,
  live: ReleaseContent | undefined,
  change: Change,
): Promise<ReleaseContent> {
  switch (change.action) {
    case 'promote':
      if ('judged' in change) {
        needJudged(live, change.part, change.judged);
        return promote(store, live, { [change.part]: change.judged.version });
      }
      return promote(store, live, change.versions);
    case 'canary': {
      const version = await readRemote(store, change.part, change.version);
      return withRemote(needed(live), change.part, (before) => startCanary(before, version, change));
    }
    case 'rollback':
      if ('judged' in change) needJudged(live, change.part, change.judged);
      return rollBack(store, needed(live), 'judged' in change ? { part: change.part } : change);
    case 'withdraw':
      return withoutVersion(needed(live), change.part, change.version);
    case 'reinstate':
    case 'compose':
      return needed(live);
  }
}

function needed(live: ReleaseContent | undefined): ReleaseContent {
  if (!live) throw new ReleaseFault('No shell is live yet. Publish and promote the shell first.');
  return live;
}

async function promote(
  store: ReleaseStore,
  live: ReleaseContent | undefined,
  versions: Readonly<Partial<Record<PartName, string>>>,
): Promise<ReleaseContent> {
  const shell = versions.shell ? await readShell(store, versions.shell) : needed(live).shell;
  let next: ReleaseContent = { schemaVersion: 1, shell, remotes: live?.remotes ?? {} };
  for (const name of remoteNames) {
    const version = versions[name];
    if (version === undefined) continue;
    const stored = await readRemote(store, name, version);
    next = withRemote(next, name, (before) => succeed(before, stored));
  }
  return next;
}

function succeed(before: RemoteRelease | undefined, next: RemoteVersion): RemoteRelease {
  const { canary, ...rest } = before ?? { live: next };
  const kept = canary && canary.version.version !== next.version ? { canary } : {};
  if (rest.live.version === next.version) return { ...rest, live: next, ...kept };
  // A rollback. What it takes off the page has failed, and must not be what browsers fall back to.
  if (rest.previous?.version === next.version) return { live: next, ...kept };
  return { live: next, previous: rest.live, ...kept };
}

function startCanary(
  before: RemoteRelease | undefined,
  version: RemoteVersion,
  { part, percent }: { part: RemoteName; percent: number },
): RemoteRelease {
  if (!before) {
    throw new ReleaseFault(`${part} has no live version to compare with. Promote one first.`);
  }
  if (before.live.version === version.version) {
    throw new ReleaseFault(`${part} ${version.version} is live for everybody. Name another version.`);
  }
  return { ...before, canary: { version, percent } };
}

/** The canary of a part, if it has one, with everything that a verdict on it depends on. */
export function canaryOf(content: ReleaseContent | undefined, part: RemoteName): JudgedCanary | undefined {
  const { live, canary } = content?.remotes[part] ?? {};
  if (!live || !canary) return undefined;
  return { version: canary.version.version, percent: canary.percent, live: live.version };
}

/** Whether a verdict on one of them holds for the other. */
export function isSameCanary(one: JudgedCanary, other: JudgedCanary | undefined): boolean {
  return one.version === other?.version && one.percent === other.percent && one.live === other.live;
}

function needJudged(live: ReleaseContent | undefined, part: RemoteName, judged: JudgedCanary): void {
  if (!isSameCanary(judged, canaryOf(live, part))) throw new CanaryChanged(part, judged);
}

function withoutCanary({ live, previous }: RemoteRelease): RemoteRelease {
  return previous ? { live, previous } : { live };
}

async function rollBack(
  store: ReleaseStore,
  live: ReleaseContent,
  { part, version, withdraw = false }: Omit<Rollback, 'action'>,
): Promise<ReleaseContent> {
  const next = await takeBack(store, live, part, version);
  if (!withdraw) return next;
  const removed = takenOff(part, live, next);
  if (removed.length === 0) {
    throw new ReleaseFault(
      `${part} ${version ?? ''} is live already, so the rollback withdraws nothing. Name what to withdraw: withdraw ${part} <version>.`,
    );
  }
  return removed.reduce((content, bad) => withoutVersion(content, part, bad), next);
}

async function takeBack(
  store: ReleaseStore,
  live: ReleaseContent,
  part: PartName,
  version: string | undefined,
): Promise<ReleaseContent> {
  if (part === 'shell') {
    if (version === undefined) {
      throw new ReleaseFault(
        'Say to which version of the shell: rollback shell <version>. "history" lists them.',
      );
    }
    return { ...live, shell: await readShell(store, version) };
  }
  const before = live.remotes[part];
  if (!before) throw new ReleaseFault(`${part} is not live. There is nothing to roll back.`);
  if (version === undefined && before.canary) {
    return withRemote(live, part, () => withoutCanary(before));
  }
  const target = version === undefined ? before.previous : await readRemote(store, part, version);
  if (!target) {
    throw new ReleaseFault(
      `${part} has no version before ${before.live.version}. Name one: rollback ${part} <version>.`,
    );
  }
  return withRemote(live, part, () => ({ live: target }));
}

/** Versions of a part that visitors got before a change, as live version or canary, and do not get after it. */
export function takenOff(part: PartName, before: ReleaseContent, after: ReleaseContent): readonly string[] {
  const left = shown(part, after);
  return shown(part, before).filter((version) => !left.includes(version));
}

function shown(part: PartName, { shell, remotes }: ReleaseContent): readonly string[] {
  if (part === 'shell') return [shell.version];
  const { live, canary } = remotes[part] ?? {};
  return [live, canary?.version].flatMap((remote) => remote?.version ?? []);
}

/** The page without a version as canary or as the one that browsers fall back to. */
function withoutVersion(live: ReleaseContent, part: PartName, version: string): ReleaseContent {
  const remote = part === 'shell' ? undefined : live.remotes[part];
  if ((part === 'shell' ? live.shell : remote?.live)?.version === version) {
    throw new ReleaseFault(
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

/** Always in the same order, since the name of the release is made from it. */
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
