import type { ReleaseContent } from '@countersign/contracts/release-document';
import {
  releasedVersions,
  servableVersions,
  type ReleasedVersions,
} from '@countersign/contracts/release-versions';
import { partNames, remoteNames, type PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import { NothingIsLive } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { withoutOthers } from '../store/referenced-versions.ts';
import { readRemote, readShell } from '../store/stored-version.ts';

/** A requested change of the page. */
export type Change = {
  /** The state of the part that the change was decided on. The change is refused if the part has another one by then. */
  readonly expected?: ReleasedVersions | undefined;
  /** Whether to ignore a freeze. */
  readonly inFreeze?: boolean | undefined;
} & (
  | {
      /** Makes versions live for all visitors, and ends a canary of the same version. */
      readonly kind: 'promote';
      readonly versions: Versions;
    }
  | {
      /** Gives a version to a share of visitors, in place of a running canary. */
      readonly kind: 'canary';
      readonly part: PartName;
      readonly version: string;
      /** From 0 to 100; of the shell, a whole number. */
      readonly percent: number;
    }
  | {
      /**
       * With a version: makes it live and ends a canary. Without: ends the canary, or restores the previous version if there is none.
       * What that means depends on the state of the part, so `expected` should be given.
       */
      readonly kind: 'rollback';
      readonly part: PartName;
      readonly version?: string | undefined;
    }
);

/** Part → version. */
type Versions = Readonly<Partial<Record<PartName, string>>>;

/** The state after a change. Throws a {@link ReleaseError} if the change is not possible. */
export async function applyChange(
  store: ReleaseStore,
  current: ReleaseContent | undefined,
  change: Change,
): Promise<ReleaseContent> {
  if (change.kind === 'promote') return promote(store, current, change.versions);
  if (!current) throw new NothingIsLive();
  if (change.kind === 'canary') return startCanary(store, current, change);
  return rollBack(store, current, change.part, change.version);
}

export function partsOf(change: Change): readonly PartName[] {
  return change.kind === 'promote'
    ? partNames.filter((part) => change.versions[part] !== undefined)
    : [change.part];
}

async function promote(
  store: ReleaseStore,
  current: ReleaseContent | undefined,
  versions: Versions,
): Promise<ReleaseContent> {
  let next = current;
  // The shell is the first, because nothing can be live without it.
  for (const part of partNames) {
    const version = versions[part];
    if (version === undefined) continue;
    const before = next && releasedVersions(part, next);
    next = await withVersions(store, next, part, withLive(before, version), version);
  }
  if (!next) throw new NothingIsLive();
  return next;
}

/** Throws a {@link ReleaseError} if a canary of a part cannot have this percentage. */
export function assertPercent(part: PartName, percent: number): void {
  if (part !== 'shell' || Number.isInteger(percent)) return;
  // A cookie has one of a hundred shares.
  throw new ReleaseError(`A canary of the shell needs a whole percentage, but it is ${percent}.`);
}

async function startCanary(
  store: ReleaseStore,
  current: ReleaseContent,
  { part, version, percent }: Extract<Change, { kind: 'canary' }>,
): Promise<ReleaseContent> {
  assertPercent(part, percent);
  const before = releasedVersions(part, current);
  if (!before) throw new ReleaseError(`${part} has no live version to compare with. Promote one first.`);
  if (before.live === version) {
    throw new ReleaseError(`${part} ${version} is live for everybody. Name another version.`);
  }
  return withVersions(store, current, part, { ...before, canary: { version, percent } }, version);
}

/** Restores the given version; without one, ends the canary or restores the previous version. */
async function rollBack(
  store: ReleaseStore,
  current: ReleaseContent,
  part: PartName,
  version: string | undefined,
): Promise<ReleaseContent> {
  const before = releasedVersions(part, current);
  if (!before) throw new ReleaseError(`${part} is not live. There is nothing to roll back.`);
  if (version === undefined && before.canary) {
    return withVersions(store, current, part, { ...before, canary: undefined });
  }
  const target = version ?? before.previous;
  if (target === undefined) {
    throw new ReleaseError(
      `${part} has no version before ${before.live}. Name one: rollback ${part} <version>.`,
    );
  }
  // Without `previous`, because pages must not fall back to the version that is rolled back. A canary ends too.
  return withVersions(store, current, part, { live: target }, version);
}

/**
 * Updates a part. Keeps remotes in a fixed order, because the release ID is a hash of the pages.
 *
 * @param added the version to read from the store in any case. Others are taken from the content if they are in it
 */
async function withVersions(
  store: ReleaseStore,
  content: ReleaseContent | undefined,
  part: PartName,
  { live, previous, canary }: ReleasedVersions,
  added?: string,
): Promise<ReleaseContent> {
  if (part === 'shell') {
    const isKept = content?.shell.version === live && live !== added;
    const shell = isKept ? withoutOthers(content.shell) : await readShell(store, live);
    const others = { ...(previous !== undefined && { previous }), ...(canary && { canary }) };
    return { schemaVersion: 1, remotes: content?.remotes ?? {}, shell: { ...shell, ...others } };
  }
  if (!content) throw new NothingIsLive();
  const known = Object.values(content.remotes[part] ? servableVersions(content.remotes[part]) : []);
  const read = async (name: string) =>
    known.find(({ version }) => version === name && name !== added) ?? (await readRemote(store, part, name));
  const remote = {
    live: await read(live),
    ...(previous !== undefined && { previous: await read(previous) }),
    ...(canary && { canary: { version: await read(canary.version), percent: canary.percent } }),
  };
  const updated = { ...content.remotes, [part]: remote };
  const remotes: ReleaseContent['remotes'] = {};
  for (const name of remoteNames) {
    const found = updated[name];
    if (found) remotes[name] = found;
  }
  return { ...content, remotes };
}

/** Makes a version live. The version before becomes the fallback, unless the promotion goes back to the previous one. */
function withLive(before: ReleasedVersions | undefined, next: string): ReleasedVersions {
  if (!before) return { live: next };
  const { live, previous } = before;
  const canary = before.canary?.version === next ? undefined : before.canary;
  if (live === next) return { live, previous, canary };
  // Going back to the previous version means that the live one has failed, so it must not become the fallback.
  return { live: next, previous: previous === next ? undefined : live, canary };
}
