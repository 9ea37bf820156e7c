import { isDeepStrictEqual } from 'node:util';
import {
  type ReleaseContent,
  releaseDocument,
  type ReleaseDocument,
} from '@countersign/contracts/release-document';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { composePages, type Pages } from '../page/compose-pages.ts';
import { hashPages, insertReleaseId, releaseIdOf, releaseIdPlaceholder } from '../page/name-release.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { AuditedChange } from '../store/audit-entry.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import type { WithdrawnVersion } from '../store/stored-documents.ts';
import { applyChange, ruleOf, type Change } from './change.ts';
import { liveVersion } from './release-content.ts';
import {
  assertNotWithdrawn,
  isSameVersion,
  isWithdrawn,
  takeOffCommand,
  withdrawnIn,
} from './withdrawn-versions.ts';

/** The release that a change leads to. */
export interface NextState {
  readonly release: ReleaseDocument;
  /** SHA-256 of the pages, in hexadecimal. */
  readonly releaseHash: string;
  readonly pages: Pages;
}

/**
 * The release that a change leads to, with its pages. Writes nothing. Throws a {@link ReleaseError} if the change is not
 * possible, or would release a withdrawn version.
 */
export async function nextState(
  store: ReleaseStore,
  live: Pick<LiveState, 'release' | 'withdrawn'> | undefined,
  change: Change,
  site: SiteConfig,
): Promise<NextState> {
  const withdrawn = live?.withdrawn ?? [];
  for (const version of ruleOf(change).namedVersions(change)) assertNotWithdrawn(withdrawn, version);
  const content = await applyChange(store, live?.release, change, withdrawn);
  if (live) assertNoWithdrawn(live, content, change);
  // Parsing sorts the keys as the schema does, because the release ID is a hash of the serialised document.
  const unnamed = releaseDocument.parse({ ...content, releaseId: releaseIdPlaceholder });
  const pages = await composePages(store, unnamed, site);
  const releaseHash = hashPages(pages);
  const releaseId = releaseIdOf(releaseHash);
  return { release: { ...unnamed, releaseId }, releaseHash, pages: insertReleaseId(pages, releaseId) };
}

/**
 * Throws a {@link ReleaseError} if a change makes a withdrawn version live, or the page would refer to one. After its live state was
 * restored from a backup, a page may refer to several. It is then enough that the change takes off one of them.
 */
function assertNoWithdrawn(
  { release: before, withdrawn }: Pick<LiveState, 'release' | 'withdrawn'>,
  after: ReleaseContent,
  change: Change,
): void {
  for (const part of partNames) {
    const version = liveVersion(part, after);
    if (version !== undefined && version !== liveVersion(part, before))
      assertNotWithdrawn(withdrawn, { part, version });
  }
  const left = withdrawnIn(after, withoutReinstated(withdrawn, change));
  if (left.length === 0 || left.length < withdrawnIn(before, withdrawn).length) return;
  const names = left.map(({ part, version }) => `${part} ${version}`).join(', ');
  const remedies = left.map((each) => takeOffCommand(before, each)).join(', ');
  throw new ReleaseError(
    `The page refers to withdrawn versions: ${names}. Take them off first: ${remedies}.`,
  );
}

/**
 * The withdrawn versions after a change. Returns the same array if they are unchanged.
 *
 * @param decision when the change withdraws versions, by whom and why
 */
export function withdrawnAfter(
  live: LiveState | undefined,
  after: ReleaseContent,
  change: Change,
  decision: Pick<WithdrawnVersion, 'at' | 'who' | 'why'>,
): readonly WithdrawnVersion[] {
  const left = withoutReinstated(live?.withdrawn ?? [], change);
  // Only changes of one part withdraw versions.
  const [part] = ruleOf(change).describe(change).parts;
  if (!part) return left;
  const added = withdrawnBy(change, live?.release, after)
    .map((version) => ({ part, version, ...decision }))
    .filter((version) => !isWithdrawn(left, version));
  return added.length > 0 ? [...left, ...added] : left;
}

function withoutReinstated(
  withdrawn: readonly WithdrawnVersion[],
  change: Change,
): readonly WithdrawnVersion[] {
  if (change.kind !== 'reinstate') return withdrawn;
  return withdrawn.filter((known) => !isSameVersion(known, change));
}

function withdrawnBy(
  change: Change,
  before: ReleaseContent | undefined,
  after: ReleaseContent,
): readonly string[] {
  return before ? ruleOf(change).withdrawnVersions(change, before, after) : [];
}

/** The fields of a log entry that describe a change. */
export function describeChange(
  change: Change,
  before: ReleaseContent | undefined,
  after: ReleaseContent,
): Pick<AuditedChange, 'action' | 'part' | 'from' | 'to' | 'withdrawn' | 'reinstated'> {
  const { action, parts } = ruleOf(change).describe(change);
  const [part, ...others] = parts;
  if (!part) return { action };
  if (others.length > 0)
    return { action, to: parts.map((each) => `${each} ${versionsOf(each, after) ?? ''}`).join(', ') };
  const [from, to] = [versionsOf(part, before), versionsOf(part, after)];
  const withdrawn = withdrawnBy(change, before, after);
  return {
    action,
    part,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(change.kind === 'reinstate' ? { reinstated: change.version } : {}),
    ...(withdrawn.length > 0 ? { withdrawn: [...withdrawn] } : {}),
  };
}

/** `1.0.0`, or `1.0.0, 1.1.0 for 10 %` while a canary runs. */
function versionsOf(part: PartName, content: ReleaseContent | undefined): string | undefined {
  if (part === 'shell') return content?.shell.version;
  const remote = content?.remotes[part];
  if (!remote) return undefined;
  const { live, canary } = remote;
  return canary ? `${live.version}, ${canary.version.version} for ${canary.percent} %` : live.version;
}

/**
 * Throws a {@link ReleaseError} if another release has changed the part of a rollback since its first attempt, so that its result
 * would no longer be what the releaser wanted. Only a rollback to a named version does not depend on the state before.
 */
export function assertSameStart(
  change: Change,
  first: LiveState | undefined,
  now: LiveState | undefined,
): void {
  if (change.kind !== 'rollback' || !now) return;
  const { part, version, withdraw = false } = change;
  if (version !== undefined && !withdraw) return;
  const stateIn = (state: LiveState | undefined) =>
    part === 'shell' ? state?.release.shell : state?.release.remotes[part];
  if (isDeepStrictEqual(stateIn(first), stateIn(now))) return;
  const { who, sequence } = now.entry;
  throw new ReleaseError(
    `${part} was changed while this change of it was prepared; the newest entry of the log is ${sequence}, by ${who}. Nothing was changed. Check "status", then decide again.`,
  );
}
