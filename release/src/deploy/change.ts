import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import { partNames, remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import type { AuditedChange } from '../store/audit-entry.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { WithdrawnVersion } from '../store/stored-documents.ts';
import { assertVersionName, readRemote, readShell } from '../store/stored-version.ts';
import { assertUnchangedCanary, type CanarySnapshot } from './canary-snapshot.ts';
import { removedVersions, withLive, withoutCanary, withoutVersion, withRemote } from './release-content.ts';
import { isWithdrawn } from './withdrawn-versions.ts';

/**
 * A requested change of the page. {@link rules} says what each kind does. `raiseCanary`, `promoteCanary` and `endCanary`
 * come from `watch`, and fail if the canary is no longer the one that it assessed.
 */
export type Change =
  | {
      /** Makes versions live for all visitors, and ends a canary of the same version. */
      readonly kind: 'promote';
      readonly versions: Readonly<Partial<Record<PartName, string>>>;
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
      /** Gives an assessed canary to another share of visitors. */
      readonly kind: 'raiseCanary';
      readonly part: RemoteName;
      /** From 0 to 100. */
      readonly percent: number;
      readonly expected: CanarySnapshot;
    }
  | {
      /** Makes an assessed canary live for all visitors. */
      readonly kind: 'promoteCanary';
      readonly part: RemoteName;
      readonly expected: CanarySnapshot;
    }
  | {
      /** Ends an assessed canary. */
      readonly kind: 'endCanary';
      readonly part: RemoteName;
      readonly expected: CanarySnapshot;
    }
  | {
      /**
       * With a version: makes it live and ends a canary. Without: ends the canary, or restores the previous version if there
       * is none.
       */
      readonly kind: 'rollback';
      readonly part: PartName;
      readonly version?: string | undefined;
      /** Withdraws the versions that the rollback removes from the page. */
      readonly withdraw?: boolean | undefined;
    }
  | {
      /** Marks a version that is not live as bad: it leaves the page, and its files are deleted after the commit. */
      readonly kind: 'withdraw';
      readonly part: PartName;
      readonly version: string;
    }
  | {
      /** Allows a withdrawn version to be published and released again. */
      readonly kind: 'reinstate';
      readonly part: PartName;
      readonly version: string;
    }
  | {
      /** Composes the page again, so that a changed configuration takes effect. */
      readonly kind: 'compose';
    };

type Kind = Change['kind'];

/** What a change starts from. */
interface Start {
  readonly store: ReleaseStore;
  readonly current: ReleaseContent | undefined;
  readonly withdrawn: readonly WithdrawnVersion[];
}

/** What one kind of change does. */
interface Rule<Requested extends Change> {
  /** The state after the change. Throws a {@link ReleaseError} if the change is not possible. */
  apply(change: Requested, start: Start): Promise<ReleaseContent>;
  /** Versions that the change names to show them to visitors. Withdrawn ones are refused. */
  namedVersions(change: Requested): readonly ReferencedVersion[];
  /** Versions that become withdrawn if the change is committed. */
  withdrawnVersions(change: Requested, before: ReleaseContent, after: ReleaseContent): readonly string[];
  /** Its name in the log, and the parts that it changes. */
  describe(change: Requested): {
    readonly action: AuditedChange['action'];
    readonly parts: readonly PartName[];
  };
}

const noVersions = () => [];
const itsVersion = ({ part, version }: ReferencedVersion) => [{ part, version }];
const onePartAs = (action: AuditedChange['action']) => (change: { readonly part: PartName }) => ({
  action,
  parts: [change.part],
});

const rules: { readonly [Name in Kind]: Rule<Extract<Change, { readonly kind: Name }>> } = {
  promote: {
    apply: ({ versions }, start) => promote(versions, start),
    namedVersions: ({ versions }) => versionsOf(versions),
    withdrawnVersions: noVersions,
    describe: ({ versions }) => ({
      action: 'promote',
      parts: versionsOf(versions).map(({ part }) => part),
    }),
  },
  canary: {
    apply: startCanary,
    namedVersions: itsVersion,
    withdrawnVersions: noVersions,
    describe: onePartAs('canary'),
  },
  raiseCanary: {
    async apply({ part, percent, expected }, start) {
      assertUnchangedCanary(start.current, part, expected);
      return startCanary({ part, version: expected.version, percent }, start);
    },
    namedVersions: noVersions,
    withdrawnVersions: noVersions,
    describe: onePartAs('canary'),
  },
  promoteCanary: {
    async apply({ part, expected }, start) {
      assertUnchangedCanary(start.current, part, expected);
      return promote({ [part]: expected.version }, start);
    },
    namedVersions: noVersions,
    withdrawnVersions: noVersions,
    describe: onePartAs('promote'),
  },
  endCanary: {
    async apply({ part, expected }, start) {
      assertUnchangedCanary(start.current, part, expected);
      return rollBack(part, undefined, start);
    },
    namedVersions: noVersions,
    withdrawnVersions: noVersions,
    describe: onePartAs('rollback'),
  },
  rollback: {
    async apply({ part, version, withdraw = false }, start) {
      const next = await rollBack(part, version, start);
      return withdraw ? withoutRemoved(part, version, requireLive(start), next) : next;
    },
    namedVersions: ({ part, version }) => (version === undefined ? [] : [{ part, version }]),
    withdrawnVersions: ({ part, withdraw }, before, after) =>
      withdraw ? removedVersions(part, before, after) : [],
    describe: onePartAs('rollback'),
  },
  withdraw: {
    async apply({ part, version }, start) {
      assertVersionName(version);
      const isKnown =
        isWithdrawn(start.withdrawn, { part, version }) || (await start.store.hashesOf(part, version));
      if (!isKnown) {
        throw new ReleaseError(
          `${part} ${version} is not published, so there is nothing to withdraw. "history" lists the versions.`,
        );
      }
      return withoutVersion(requireLive(start), part, version);
    },
    namedVersions: noVersions,
    withdrawnVersions: ({ version }) => [version],
    describe: onePartAs('withdraw'),
  },
  reinstate: {
    async apply(change, start) {
      assertVersionName(change.version);
      if (!isWithdrawn(start.withdrawn, change)) {
        throw new ReleaseError(`${change.part} ${change.version} is not withdrawn.`);
      }
      return requireLive(start);
    },
    namedVersions: noVersions,
    withdrawnVersions: noVersions,
    describe: onePartAs('reinstate'),
  },
  compose: {
    apply: async (_change, start) => requireLive(start),
    namedVersions: noVersions,
    withdrawnVersions: noVersions,
    describe: () => ({ action: 'compose', parts: [] }),
  },
};

/** The rule of a change. The cast that its type implies is safe, because a rule only gets changes of its own kind. */
export function ruleOf(change: Change): Rule<Change> {
  return rules[change.kind];
}

/** The state after a change, by its rule: see {@link Rule.apply}. */
export function applyChange(
  store: ReleaseStore,
  current: ReleaseContent | undefined,
  change: Change,
  withdrawn: readonly WithdrawnVersion[] = [],
): Promise<ReleaseContent> {
  return ruleOf(change).apply(change, { store, current, withdrawn });
}

function requireLive({ current }: Start): ReleaseContent {
  if (!current) throw new ReleaseError('No shell is live yet. Publish and promote the shell first.');
  return current;
}

function versionsOf(versions: Readonly<Partial<Record<PartName, string>>>): readonly ReferencedVersion[] {
  return partNames.flatMap((part) => {
    const version = versions[part];
    return version === undefined ? [] : [{ part, version }];
  });
}

async function promote(
  versions: Readonly<Partial<Record<PartName, string>>>,
  start: Start,
): Promise<ReleaseContent> {
  const { store, current } = start;
  const shell =
    versions.shell !== undefined ? await readShell(store, versions.shell) : requireLive(start).shell;
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
  { part, version, percent }: { part: RemoteName; version: string; percent: number },
  start: Start,
): Promise<ReleaseContent> {
  const stored = await readRemote(start.store, part, version);
  return withRemote(requireLive(start), part, (before) => {
    if (!before) throw new ReleaseError(`${part} has no live version to compare with. Promote one first.`);
    if (before.live.version === version) {
      throw new ReleaseError(`${part} ${version} is live for everybody. Name another version.`);
    }
    return { ...before, canary: { version: stored, percent } };
  });
}

/** Restores the given version; without one, ends the canary or restores the previous version. */
async function rollBack(part: PartName, version: string | undefined, start: Start): Promise<ReleaseContent> {
  const current = requireLive(start);
  if (part === 'shell') {
    if (version === undefined) {
      throw new ReleaseError(
        'A rollback of the shell needs a version. Use: rollback shell <version>. "history" lists the versions.',
      );
    }
    return { ...current, shell: await readShell(start.store, version) };
  }
  const before = current.remotes[part];
  if (!before) throw new ReleaseError(`${part} is not live. There is nothing to roll back.`);
  if (version === undefined && before.canary) return withRemote(current, part, () => withoutCanary(before));
  const target = version === undefined ? before.previous : await readRemote(start.store, part, version);
  if (!target) {
    throw new ReleaseError(
      `${part} has no version before ${before.live.version}. Name one: rollback ${part} <version>.`,
    );
  }
  // Without `previous`, because pages must not fall back to the version that is rolled back. A canary ends too.
  return withRemote(current, part, () => ({ live: target }));
}

/** Removes what a rollback took off the page from its fallbacks too. Throws if the rollback took off nothing. */
function withoutRemoved(
  part: PartName,
  version: string | undefined,
  before: ReleaseContent,
  after: ReleaseContent,
): ReleaseContent {
  const removed = removedVersions(part, before, after);
  if (removed.length === 0) {
    throw new ReleaseError(
      `${[part, version].join(' ').trim()} is live already, so the rollback withdraws nothing. Name what to withdraw: withdraw ${part} <version>.`,
    );
  }
  return removed.reduce((content, bad) => withoutVersion(content, part, bad), after);
}
