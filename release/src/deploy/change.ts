import type { ReleaseContent } from '@countersign/contracts/release-document';
import { servableVersions, stateOf, type PartState } from '@countersign/contracts/release-versions';
import { canarySlotAttributes } from '@countersign/contracts/page-markup';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import { partNames, remoteNames, type PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import { NothingIsLive } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { withoutOthers, type Versions } from '../store/versions.ts';
import { assertVersionName, readRemote, readShell } from '../store/stored-version.ts';

/**
 * Part → the version that becomes live, which ends a canary too. `undefined` ends the canary of the part, or restores its previous
 * version if it has no canary.
 */
export type RollbackTargets = Versions<string | undefined>;

/** A requested change of the page. */
export type Change = {
  /** Part → its state that the change was decided on. The change is refused if a part has another one by then. */
  readonly expected?: Readonly<Partial<Record<PartName, PartState>>> | undefined;
  /** Whether to ignore a freeze. */
  readonly inFreeze?: boolean | undefined;
} & (
  | {
      /** Makes versions live for all visitors, and ends a canary of the same version. */
      readonly kind: 'promote';
      readonly versions: Versions;
    }
  | {
      /** Gives versions to a share of visitors, in place of running canaries. A visitor gets all of them or none. */
      readonly kind: 'canary';
      readonly versions: Versions;
      /** From 0 to 100; of the shell, a whole number. */
      readonly percent: number;
    }
  | {
      /** Without a version, the outcome depends on the state of the part, so `expected` should be given. */
      readonly kind: 'rollback';
      readonly versions: RollbackTargets;
    }
);

/** The content of a release with these versions alone. */
export const contentWithOnly = (store: ReleaseStore, versions: Versions) =>
  applyChange(store, undefined, { kind: 'promote', versions });

/** The content of the release after a change. Throws a {@link ReleaseError} if the change is not possible. */
export async function applyChange(
  store: ReleaseStore,
  current: ReleaseContent | undefined,
  change: Change,
): Promise<ReleaseContent> {
  if (!current && change.kind !== 'promote') throw new NothingIsLive();
  const parts = partsOf(change);
  if (current && change.kind === 'canary') await assertOneGroup(store, current, parts);
  let next = current;
  // The shell is the first, because nothing can be live without it.
  for (const part of parts) {
    const before = next && stateOf(part, next);
    const after = stateAfter(change, part, before);
    // Pages must not fall back to a version that was live with another shell only, because it may not fit.
    const hasNewShell = current !== undefined && current.shell.version !== next?.shell.version;
    const isLost = hasNewShell && before?.live !== after.live;
    const state = isLost ? { ...after, previous: undefined } : after;
    next = await withState(store, next, part, state, change.versions[part]);
  }
  if (!next) throw new NothingIsLive();
  return next;
}

export function partsOf({ versions }: Pick<Change, 'versions'>): readonly PartName[] {
  return partNames.filter((part) => part in versions);
}

/** The state of a part after a change of it. Throws a {@link ReleaseError} if the change is not possible. */
function stateAfter(change: Change, part: PartName, before: PartState | undefined): PartState {
  switch (change.kind) {
    case 'promote':
      return afterPromotion(before, change.versions[part] ?? '');
    case 'canary':
      return afterCanary(change, part, before);
    case 'rollback':
      return afterRollback(part, before, change.versions[part]);
  }
}

/** A version becomes live for all. The version before becomes the fallback, unless the promotion goes back to the previous one. */
function afterPromotion(before: PartState | undefined, next: string): PartState {
  if (!before) return { live: next };
  const { live: liveVersion, previous } = before;
  const canary = before.canary?.version === next ? undefined : before.canary;
  if (liveVersion === next) return { live: next, previous, canary };
  // Going back to the previous version means that the live one has failed, so it must not become the fallback.
  return { live: next, previous: previous === next ? undefined : liveVersion, canary };
}

/** Throws a {@link ReleaseError} if a canary of a part cannot have this percentage. */
export function assertPercent(part: PartName, percent: number): void {
  if (part !== 'shell' || Number.isInteger(percent)) return;
  // A cookie has one of a hundred shares.
  throw new ReleaseError(`A canary of the shell needs a whole percentage, but it is ${percent}.`);
}

function afterCanary(
  change: Extract<Change, { kind: 'canary' }>,
  part: PartName,
  before: PartState | undefined,
): PartState {
  const { percent, versions } = change;
  const version = versions[part] ?? '';
  assertPercent(part, percent);
  if (!before) throw new ReleaseError(`${part} has no live version to compare with. Promote one first.`);
  if (before.live === version) {
    throw new ReleaseError(`${part} ${version} is live for everybody. Name another version.`);
  }
  const parts = partsOf(change);
  const together = parts.map((each) => `${each}@${versions[each]}`).join(' ');
  return { ...before, canary: { version, percent, ...(parts.length > 1 && { together }) } };
}

/** The part with a canary, and those whose canaries visitors get together with it. */
export function partsInCanary(release: ReleaseContent, part: PartName): readonly PartName[] {
  const togetherOf = (each: PartName) => stateOf(each, release)?.canary?.together;
  const together = togetherOf(part);
  return together === undefined ? [part] : partNames.filter((each) => togetherOf(each) === together);
}

/** Throws a {@link ReleaseError} if visitors could get one of these canaries without the others. */
async function assertOneGroup(
  store: ReleaseStore,
  content: ReleaseContent,
  parts: readonly PartName[],
): Promise<void> {
  for (const part of parts) {
    const inCanary = partsInCanary(content, part);
    if (inCanary.every((each) => parts.includes(each))) continue;
    throw new ReleaseError(
      `Visitors get the canaries of ${inCanary.join(' and ')} together. Name all of them, or end them first: rollback ${part}.`,
    );
  }
  if (parts.length === 1) return;
  if (parts.includes('shell')) {
    throw new ReleaseError(
      'The shell cannot be a canary together with other parts, because the server chooses its page, and the browser theirs. Promote them as one change, or make the shell a canary alone.',
    );
  }
  const { version, canary } = content.shell;
  for (const shell of [version, ...(canary ? [canary.version] : [])]) {
    // The template has the script that assigns visitors to groups.
    const template = await store.readFile('shell', shell, documentTemplateFile);
    if (template.includes(canarySlotAttributes.together)) continue;
    throw new ReleaseError(
      `shell ${shell} assigns visitors to each canary separately, so some would get only one of these. Promote a newer shell first, or promote the parts as one change.`,
    );
  }
}

/** Restores the given version; without one, ends the canary or restores the previous version. */
function afterRollback(
  part: PartName,
  before: PartState | undefined,
  version: string | undefined,
): PartState {
  if (!before) throw new ReleaseError(`${part} is not live. There is nothing to roll back.`);
  if (version === undefined && before.canary) return { ...before, canary: undefined };
  const target = version ?? before.previous;
  if (target === undefined) {
    throw new ReleaseError(
      `${part} has no version before ${before.live}. Name one: rollback ${part} <version>.`,
    );
  }
  if (target === before.live) return { ...before, canary: undefined };
  // Without `previous`, because pages must not fall back to the version that is rolled back. A canary ends too.
  return { live: target };
}

/**
 * Updates a part. Keeps remotes in a fixed order, because the release ID is a hash of the pages.
 *
 * @param wanted the version to read from the store in any case, as it was published. Others are taken from the content if they are in it
 */
async function withState(
  store: ReleaseStore,
  content: ReleaseContent | undefined,
  part: PartName,
  { live: liveVersion, previous, canary }: PartState,
  wanted?: string,
): Promise<ReleaseContent> {
  if (wanted !== undefined) {
    assertVersionName(wanted);
    await store.assertIntact({ part, version: wanted });
  }
  if (part === 'shell') {
    const isKept = content?.shell.version === liveVersion && liveVersion !== wanted;
    const shell = isKept ? withoutOthers(content.shell) : await readShell(store, liveVersion);
    const others = { ...(previous !== undefined && { previous }), ...(canary && { canary }) };
    return { schemaVersion: 1, remotes: content?.remotes ?? {}, shell: { ...shell, ...others } };
  }
  if (!content) throw new NothingIsLive();
  const known = Object.values(content.remotes[part] ? servableVersions(content.remotes[part]) : []);
  const read = async (name: string) =>
    known.find(({ version }) => version === name && name !== wanted) ?? (await readRemote(store, part, name));
  const remote = {
    live: await read(liveVersion),
    ...(previous !== undefined && { previous: await read(previous) }),
    ...(canary && { canary: { ...canary, version: await read(canary.version) } }),
  };
  const updated = { ...content.remotes, [part]: remote };
  const remotes: ReleaseContent['remotes'] = {};
  for (const name of remoteNames) {
    const found = updated[name];
    if (found) remotes[name] = found;
  }
  return { ...content, remotes };
}
