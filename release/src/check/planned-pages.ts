import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import { liveVersionOf, versionsIn, type PartVersion } from '@countersign/contracts/release-versions';
import { partNames, remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import playwright from 'playwright-core/package.json' with { type: 'json' };
import {
  canariesOf,
  shownTogether,
  nameVersions,
  newlyShownVersions,
  versionsByPart,
  withLiveOnly,
  type Versions,
} from '../store/versions.ts';
import { readShell } from '../store/stored-version.ts';
import { invariantNames } from './invariants/invariants.ts';
import type { PageVersions } from './invariants/observe-live.ts';
import { hasNewSettings, settingsText, type ReleaseCandidate } from './release-candidate.ts';

/** Versions of remotes that are checked. */
export type RemoteVersions = readonly (PartVersion & { readonly part: RemoteName })[];
/** A page that the check will open. It is not composed yet. */
export interface PlannedPage extends PageVersions {
  /** A canary of other parts, which one visitor can get together with the versions that are checked. */
  readonly beside?: readonly PartVersion[] | undefined;
  /** Their names, for messages. */
  readonly name: string;
  /** Whether only the settings of the page are new. */
  readonly onlySettingsChange: boolean;
  /** The content of the page with these versions. */
  readonly shown: ReleaseContent;
}

type ComparedReleases = Omit<ReleaseCandidate, 'browserLocation' | 'store'>;

/** The versions that a candidate brings, and those beside which its rules and its page are checked. */
export function versionsToCheck(candidate: ComparedReleases) {
  const { next, liveRelease } = candidate;
  const { shell } = next;
  const { isNewShell, newShellCanary, newlyShown, onlySettingsChange } = changesForVisitors(candidate);
  // Visitors get the other remotes already, but not with a new shell.
  const checksAllRemotes = isNewShell || newShellCanary !== undefined;
  const shown = checksAllRemotes ? versionsIn(next) : newlyShown;
  const remotes = shown.flatMap(({ part, version }) => (part === 'shell' ? [] : [{ part, version }]));
  const shells = newShellCanary === undefined ? [shell.version, shell.canary?.version] : [newShellCanary];
  return {
    /** The versions that visitors get by the change. Also a canary that becomes live, because it may have been forced. */
    released: newlyShownVersions(partNames, liveRelease, next),
    remotes,
    /** The remotes whose page is opened. New settings alone concern all that visitors get. */
    opened:
      onlySettingsChange && newShellCanary === undefined
        ? newlyShownVersions(remoteNames, undefined, next)
        : remotes,
    /** The shells that must suit the remotes. */
    shellVersions: shells.filter((version) => version !== undefined),
  };
}

/**
 * Distributes versions over pages, because a page shows one of each remote. The versions of a canary of several parts share a page. A
 * new shell is checked with several pages: the live versions are on the first, and previous ones and canaries, which are not pictured, on
 * the next. New settings are checked like a new shell, without pictures.
 */
export async function planPages(
  candidate: Omit<ReleaseCandidate, 'browserLocation'>,
  remotes: RemoteVersions,
): Promise<readonly PlannedPage[]> {
  const { store, next } = candidate;
  const { isNewShell, newShellCanary, newlyShown, onlySettingsChange } = changesForVisitors(candidate);
  if (newShellCanary !== undefined) {
    const shells = [await readShell(store, newShellCanary)];
    // Visitors outside the canary get the settings with the live shell.
    if (hasNewSettings(candidate)) shells.push({ ...next.shell, canary: undefined });
    const planned = shells.map((shell) => planPages({ ...candidate, next: { ...next, shell } }, remotes));
    return (await Promise.all(planned)).flat();
  }
  const pages: Map<RemoteName, string>[] = [];
  for (const together of shownTogether(next, remotes)) {
    const pageWithRoom = pages.find((page) => together.every(({ part }) => !page.has(part)));
    const page = pageWithRoom ?? new Map<RemoteName, string>();
    if (!pageWithRoom) pages.push(page);
    for (const { part, version } of together) page.set(part, version);
  }
  const isShellPage = isNewShell || onlySettingsChange;
  const shells = isShellPage ? [{ part: 'shell', version: next.shell.version } as const] : [];
  /** The page for some of its versions, of which the first answers for it. None without versions. */
  const plan = (
    page: PlannedPage['remotes'],
    checked: readonly PartVersion[],
    pictured: readonly string[],
    beside?: readonly PartVersion[],
  ): readonly Omit<PlannedPage, 'shown'>[] => {
    const [first] = checked;
    if (!first) return [];
    const versions: Versions = versionsByPart(checked);
    const name = `${nameVersions(versions)}${onlySettingsChange ? ' with the new settings' : ''}`;
    return [{ ...first, store, remotes: page, pictured, versions, name, beside, onlySettingsChange }];
  };
  const planned = pages.flatMap((page, index) => {
    const versions = Array.from(page, ([part, version]) => ({ part, version }));
    const changed = isShellPage
      ? newlyShown.filter(({ part, version }) => page.get(part) === version)
      : versions;
    const livePictures = index === 0 && isNewShell ? Object.keys(next.remotes) : [];
    return [
      ...plan(page, [...shells, ...changed], isShellPage ? livePictures : [...page.keys()]),
      // Some visitors get a canary of other parts with what has changed.
      ...shownTogether(next, canariesOf(next)).flatMap((beside) => {
        const others = changed.filter(({ part }) => !beside.some((canary) => canary.part === part));
        return plan(new Map(others.map(({ part, version }) => [part, version])), others, [], beside);
      }),
    ];
  });
  return Promise.all(planned.map(async (page) => ({ ...page, shown: await readShownContent(next, page) })));
}

/** The changes for visitors of the live page: its shell, a canary of it, versions of remotes, or nothing but its settings. */
function changesForVisitors(candidate: ComparedReleases) {
  const { next, liveRelease } = candidate;
  const isNewShell = liveRelease?.shell.version !== next.shell.version;
  const isNewCanary = !isDeepStrictEqual(liveRelease?.shell.canary, next.shell.canary);
  /** A new canary of the shell, or one for another share. */
  const newShellCanary = isNewCanary ? next.shell.canary?.version : undefined;
  // None in a first release, because all remotes are checked with a new shell.
  const newlyShown = liveRelease ? newlyShownVersions(remoteNames, liveRelease, next) : [];
  const onlySettingsChange = hasNewSettings(candidate) && !isNewShell && newlyShown.length === 0;
  return { isNewShell, newShellCanary, newlyShown, onlySettingsChange };
}

/** The content of a page with the versions of a planned page, or the other live ones. */
export async function readShownContent(
  content: ReleaseContent,
  { store, remotes, beside }: Omit<PlannedPage, 'shown'>,
): Promise<ReleaseContent> {
  if (!beside) return withLiveOnly(content, remotes);
  const canary = beside.find(({ part }) => part === 'shell');
  const shell = canary ? await readShell(store, canary.version) : content.shell;
  const besideVersions = Object.entries(versionsByPart(beside));
  return withLiveOnly({ ...content, shell }, new Map<string, string>([...remotes, ...besideVersions]));
}

/**
 * Names under which the store records a passed page. `prefix`: hash of versions, files, checked parts, settings, invariants and Playwright.
 * `full` adds the live versions and pictured slots.
 */
export function passedSetNames(
  { liveRelease, siteConfig }: Pick<ReleaseCandidate, 'liveRelease' | 'siteConfig'>,
  { shown: { shell, remotes }, ...page }: Pick<PlannedPage, 'shown' | 'part' | 'remotes' | 'pictured'>,
): { readonly prefix: string; readonly full: string } {
  const hashOf = (value: unknown) => hash('sha256', JSON.stringify(value));
  const parts = [page.part, ...page.remotes.keys()];
  const tested = [shell, remotes, parts, settingsText(siteConfig), invariantNames, playwright.version];
  const prefix = `${hashOf(tested)}-`;
  const liveVersions = parts.map((part) => liveVersionOf(part, liveRelease));
  return { prefix, full: `${prefix}${hashOf([liveVersions, page.pictured])}` };
}
