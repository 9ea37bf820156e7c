import type { PartName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import { ReleaseError } from '../platform/release-error.ts';
import { changedParts, pageNotOpened } from '../store/stored-documents.ts';
import { canariesOf, nameVersions, versionsByPart, type Versions } from '../store/versions.ts';
import { openBrowser } from './browser/open-browser.ts';
import { limits, Pace } from './browser/pace.ts';
import type { PageViolation } from './invariants/invariants.ts';
import { checkPage, type PageFindings } from './check-page.ts';
import { passedSetNames, planPages, type PlannedPage, type RemoteVersions } from './planned-pages.ts';
import type { ReleaseCandidate } from './release-candidate.ts';

/** Which sets that passed before are not opened again: none, those beside the same live versions, or, of a page that is live, any. */
export type Reuse = 'none' | 'same live versions' | 'any';

/**
 * Opens the page with each version in a browser, alone and beside each canary of another part. Several visitors inspect it, and compare
 * it with the live page, while others follow the journeys of all parts. Stores pictures of both where they differ. The violations that it
 * returns have their place and a remedy.
 */
export async function checkPages(
  candidate: ReleaseCandidate,
  remotes: RemoteVersions,
  { reuse }: { readonly reuse: Reuse },
): Promise<PageFindings> {
  const pages: PlannedPage[] = [];
  for (const planned of await planPages(candidate, remotes)) {
    // A version that is live keeps the pictures of its promotion.
    const page = reuse === 'any' ? { ...planned, pictured: [] } : planned;
    const { prefix, full } = passedSetNames(candidate, page);
    const setName = reuse === 'any' ? prefix : full;
    if (reuse === 'none' || !(await candidate.store.checkCache.hasPassedSet(setName))) pages.push(page);
  }
  if (pages.length === 0) {
    const none = { violations: [], changedLooks: [], undecided: [], secondAttempts: [] };
    return { ...none, isCompared: true };
  }
  await using browser = await openBrowser(candidate.browserLocation);
  try {
    return await checkPlannedPages(browser, candidate, pages);
  } catch (error) {
    if (browser.isConnected()) throw error;
    throw new ReleaseError(
      'The browser of the check has ended. Try again, or set BROWSER_PATH to another one.',
      { cause: error },
    );
  }
}

async function checkPlannedPages(
  browser: Browser,
  candidate: ReleaseCandidate,
  pages: readonly PlannedPage[],
): Promise<PageFindings> {
  const all: PageFindings[] = [];
  const undecided: string[] = [];
  const pace = new Pace();
  for (const planned of pages) {
    const { beside, versions } = planned;
    const canary = beside ? ` beside the canary ${nameVersions(versionsByPart(beside))}` : '';
    const name = `${planned.name}${canary}`;
    const found = await pace.within(
      limits.check,
      { isLive: false, largestFraction: 0 },
      checkPage(browser, candidate, planned, pace),
      () => undefined,
    );
    if (!found) {
      // No violation, because a page that is slow itself misses one of its other limits before.
      undecided.push(`${name}: the check was not done in time`);
      break;
    }
    const changedLooks = (await areAcceptedLooks(candidate, versions)) ? [] : found.changedLooks;
    const isSound = found.violations.length + found.undecided.length + found.changedLooks.length === 0;
    if (found.isCompared && isSound)
      await candidate.store.checkCache.addPassedSet(passedSetNames(candidate, planned).full);
    undecided.push(...found.undecided.map((why) => `${name}: ${why}`));
    const remedy = planned.onlySettingsChange
      ? 'Correct the settings.'
      : 'Put it right and publish it under a new version.';
    const report = (violations: readonly PageViolation[], advice: string) =>
      violations.map(({ key, text }) => ({ key, text: `${name} ${text}. ${advice}` }));
    all.push({
      ...found,
      violations: report(found.violations, remedy),
      changedLooks: report(changedLooks, 'Put it right, or accept it with --looks-changed.'),
    });
  }
  return {
    violations: all.flatMap((each) => each.violations),
    changedLooks: all.flatMap((each) => each.changedLooks),
    undecided: undecided.length > 0 ? [`This machine is too busy to check ${undecided.join('; ')}.`] : [],
    secondAttempts: all.flatMap((each) => each.secondAttempts),
    isCompared: all.every((each) => each.isCompared),
  };
}

/**
 * Whether all versions are canaries whose looks were accepted: the page was opened when they became canaries of their present share, and
 * their parts have not changed since.
 */
export async function areAcceptedLooks(
  { store, liveRelease, historyEntry }: Pick<ReleaseCandidate, 'store' | 'liveRelease' | 'historyEntry'>,
  versions: Versions,
): Promise<boolean> {
  const canaries: Versions = liveRelease ? versionsByPart(canariesOf(liveRelease)) : {};
  const missing = new Set(Object.keys(versions));
  const areCanaries = Object.entries(versions).every(
    ([part, version]) => canaries[part as PartName] === version,
  );
  if (!areCanaries || !historyEntry) return false;
  for await (const entry of store.liveStore.history({ historyEntry })) {
    const found = changedParts(entry).filter((part) => missing.delete(part));
    const wasOpened = entry.action === 'canary' && !entry.forced?.includes(pageNotOpened);
    if (found.length > 0 && !wasOpened) return false;
    if (missing.size === 0) return true;
  }
  return false;
}
