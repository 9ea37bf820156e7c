import { isDeepStrictEqual } from 'node:util';
import type { Journeys } from '@countersign/contracts/journeys';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';
import { remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import { composePages } from '../page/compose-pages.ts';
import { releaseIdPlaceholder } from '../page/name-release.ts';
import {
  canariesOf,
  groupsOf,
  nameVersions,
  releasedRemotes,
  withLiveOnly,
} from '../store/referenced-versions.ts';
import { ReleaseError, UndecidedCheck } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { readShell, readVersion } from '../store/stored-version.ts';
import { openBrowser } from './browser/open-browser.ts';
import { siteOfPages, type OfflineSite } from './browser/offline-site.ts';
import { limits, Pace } from './browser/pace.ts';
import { inTurns, visitors, type VisitorName } from './browser/visitors.ts';
import { inspectPage, type Inspection, type PageSubject } from './invariants/inspect-page.ts';
import { plain } from './invariants/invariants.ts';
import { JourneyRun, type BrokenJourney, type PartJourneys } from './journeys/run-journeys.ts';
import type { SecondAttempt } from '../store/second-attempts.ts';
import type { ReleaseCandidate } from './release-candidate.ts';

type RemoteVersions = readonly (ReferencedVersion & { readonly part: RemoteName })[];
/** A page that is not composed yet. */
type Subject = Omit<PageSubject, 'site' | 'liveSite'> & {
  /** A canary of other parts, which one visitor can get together with the versions that are checked. */
  readonly beside?: readonly ReferencedVersion[];
  /** The versions that are checked, for messages. */
  readonly name: string;
};

/** Violations, each with its place and a remedy. */
interface Rendering {
  readonly violations: readonly string[];
  /** Violations that a person can accept with `--looks-changed`. */
  readonly acceptable: readonly string[];
  /** Journeys and inspections that passed only at their second attempt. */
  readonly secondAttempts: readonly SecondAttempt[];
}

/**
 * Opens the page with each version in a browser, alone and beside each canary of another part. Several visitors inspect it, and compare
 * it with the live page, while others follow the journeys of all parts. Stores pictures of both where they differ. Throws an
 * {@link UndecidedCheck} if nothing is wrong but what a busy machine explains.
 *
 * @param skipsOpened leaves out sets that were opened before without a violation
 */
export async function renderedPage(
  candidate: ReleaseCandidate,
  remotes: RemoteVersions,
  skipsOpened = false,
): Promise<Rendering> {
  const { openedPages } = candidate.store;
  const violations: string[] = [];
  const acceptable: string[] = [];
  const secondAttempts: SecondAttempt[] = [];
  const subjects: (readonly [Subject, ReleaseContent])[] = [];
  for (const subject of subjectsOf(candidate, remotes)) {
    const shown = await shownBy(candidate.next, subject);
    if (!skipsOpened || !(await openedPages.has(shown))) subjects.push([subject, shown]);
  }
  if (subjects.length === 0) return { violations, acceptable, secondAttempts };
  await using browser = await openBrowser(candidate.browser);
  try {
    const undecided: string[] = [];
    const pace = new Pace();
    for (const [subject, shown] of subjects) {
      const { part, version, beside, name } = subject;
      const subjectName = `${name}${beside ? ` beside the canary ${nameVersions(byPart(beside))}` : ''}`;
      const late = Promise.withResolvers<undefined>();
      const stop = pace.start(limits.check, { isLive: false, longest: 0 }, () => late.resolve(undefined));
      const checked = checkPage(browser, candidate, subject, shown, pace);
      // After the limit, nothing awaits it.
      checked.catch(() => undefined);
      const found = await Promise.race([checked, late.promise]).finally(stop);
      // No violation, because each way to be late has a limit of its own.
      const unknown = found?.undecided ?? ['the check was not done in time'];
      undecided.push(...unknown.map((why) => `${subjectName}: ${why}`));
      if (!found) break;
      secondAttempts.push(...found.secondAttempts);
      // A canary was accepted when it became one.
      const wasCanary =
        candidate.live &&
        canariesOf(candidate.live).some((each) => isDeepStrictEqual(each, { part, version }));
      const changed = wasCanary ? [] : found.acceptable;
      if (found.violations.length + found.undecided.length + changed.length === 0)
        await openedPages.add(shown);
      for (const text of found.violations)
        violations.push(`${subjectName} ${text}. Put it right and publish it under a new version.`);
      for (const text of changed)
        acceptable.push(`${subjectName} ${text}. Put it right, or accept it with --looks-changed.`);
    }
    if (violations.length > 0 || undecided.length === 0) return { violations, acceptable, secondAttempts };
    throw new UndecidedCheck(
      `This machine is too busy to check ${undecided.join('; ')}. Nothing was changed. Check again when it is idle.`,
    );
  } catch (error) {
    if (browser.isConnected()) throw error;
    throw new ReleaseError(
      'The browser of the check has ended. Try again, or set BROWSER_PATH to another one.',
      { cause: error },
    );
  }
}

/**
 * Distributes versions over pages, because a page shows one of each remote. The versions of a canary of several parts share a page. A
 * new shell is checked with several pages: the live versions are on the first, previous ones and canaries on the next, which have no
 * live page to compare pictures with.
 */
function subjectsOf({ store, next, live }: ReleaseCandidate, remotes: RemoteVersions): readonly Subject[] {
  const pages: Map<RemoteName, string>[] = [];
  for (const group of groupsOf(next, remotes)) {
    const known = pages.find((page) => group.every(({ part }) => !page.has(part)));
    const page = known ?? new Map<RemoteName, string>();
    if (!known) pages.push(page);
    for (const { part, version } of group) page.set(part, version);
  }
  const isNewShell = live?.shell.version !== next.shell.version;
  return pages.flatMap((page, index) => {
    const [[part, version] = ['shell', next.shell.version] as const] = isNewShell ? [] : page;
    const pictured = part !== 'shell' ? [...page.keys()] : index === 0 ? Object.keys(next.remotes) : [];
    const changed = changedRemotes(live, next).filter((each) => page.get(each.part) === each.version);
    const name = nameVersions({ [part]: version, ...byPart(changed) });
    const subject = { store, remotes: page, part, version, pictured, name };
    // The pages of a new shell have all canaries.
    if (isNewShell) return [subject];
    const isInPage = (canary: ReferencedVersion) => canary.part !== 'shell' && page.has(canary.part);
    const others = groupsOf(next, canariesOf(next)).filter((group) => !group.some(isInPage));
    return [subject, ...others.map((beside) => ({ ...subject, beside, pictured: [] }))];
  });
}

/** The remotes that a change of the live page gives to visitors. */
const changedRemotes = (live: ReleaseContent | undefined, next: ReleaseContent) =>
  live ? releasedRemotes(live, next) : [];

const byPart = (versions: readonly ReferencedVersion[]) =>
  Object.fromEntries(versions.map(({ part, version }) => [part, version]));

/** A state of the page with the versions of a subject, or the other live ones. */
async function shownBy(
  content: ReleaseContent,
  { store, remotes, beside }: Subject,
): Promise<ReleaseContent> {
  if (!beside) return withLiveOnly(content, remotes);
  const canary = beside.find(({ part }) => part === 'shell');
  const shell = canary ? await readShell(store, canary.version) : content.shell;
  const added = beside.map(({ part, version }) => [part, version] as const);
  return withLiveOnly({ ...content, shell }, new Map<string, string>([...remotes, ...added]));
}

/** Returns violations as predicates of the part: `removes slots: …`. Others are undecided, because the live page has them as well. */
async function checkPage(
  browser: Browser,
  candidate: ReleaseCandidate,
  subject: Subject,
  shown: ReleaseContent,
  pace: Pace,
) {
  const { live, store } = candidate;
  const { part, version } = subject;
  // Beside a canary the live page has it, too, because its violations are not those of the part.
  const liveShown = live && (await shownBy(live, { ...subject, remotes: new Map() }));
  const compared = part === 'shell' ? live?.shell.version : live?.remotes[part]?.live.version;
  const before = compared === undefined ? {} : await readJourneys(store, part, compared);
  const [site, liveSite, parts] = await Promise.all([
    siteOf(candidate, shown),
    liveShown && siteOf(candidate, liveShown).catch(noComparison),
    journeysOf(shown, candidate, subject),
  ]);
  pace.isAlone = !liveSite;
  const run = new JourneyRun(browser, { site, liveSite, parts, before, pace });
  const visit = async (visitor: VisitorName) => {
    // Some visitors only follow journeys.
    if (!visitors[visitor].inspects) return void (await run.follow(visitor));
    const inspection = await inspectPage(browser, { ...subject, site, liveSite }, visitor, pace);
    run.isStopped ||= !inspection.opened;
    if (inspection.opened) await run.follow(visitor, inspection.opened);
    return { visitor, ...inspection };
  };
  const names = Object.keys(visitors) as VisitorName[];
  const inspections = (await inTurns(names, visit)).filter((each) => each !== undefined);
  const violations = mergeViolations(inspections);
  const acceptable = mergeViolations(inspections, 'acceptable');
  const firstFindings = inspections
    .flatMap(({ firstFinding }) => firstFinding ?? [])
    .map((why) => ({ part, why }));
  const secondAttempts = [...run.secondAttempts, ...firstFindings];
  const undecided = [...inspections.flatMap((each) => each.undecided ?? []), ...run.undecided];

  const now = parts.find((each) => each.part === part)?.journeys ?? {};
  const dropped = Object.keys(before).filter((name) => !now[name]);
  const changed = Object.keys(before).filter(
    (name) => now[name] && !isDeepStrictEqual(before[name], now[name]),
  );
  if (dropped.length > 0 && Object.keys(now).length === 0)
    violations.push('drops all of its journeys: it must promise something');
  if (violations.length === 0 && undecided.length === 0) {
    const journeys = dropped.length + changed.length > 0 ? { dropped, changed } : undefined;
    const sides = inspections.flatMap(({ pictures = [] }) => pictures);
    // They only help people, so the check does not depend on them.
    await store.pictures
      .replace({ part, version, live: compared ?? '', journeys }, sides)
      .catch(() => undefined);
    if (run.followed === 0 && parts.length > 0) violations.push('was not used: 0 journeys were followed');
  }
  // Beside other violations, a journey without a picture only repeats them. So does one that works, but meets one of them. One that is
  // broken for several visitors is named once.
  const broken = run.broken.filter(
    ({ picture, why }) =>
      violations.length === 0 ||
      (picture !== undefined &&
        !violations.some((violation) => why === `it works, but the page ${violation}`)),
  );
  const byName = Map.groupBy(broken, ({ part: owner, name }) => `${owner} ${name}`);
  const brokenOnce = [...byName.values()].flatMap(([first, ...others]) =>
    // Without the visitor if several saw it, because it does not depend on the visitor.
    first ? [{ ...first, where: others.length === 0 ? ` (${first.where})` : '' }] : [],
  );
  const reported = await Promise.all(brokenOnce.map((journey) => reportJourney(subject, journey)));
  return { violations: [...violations, ...reported], acceptable, undecided, secondAttempts };
}

/**
 * The journeys of the parts that are released, and of all others that are live. None while a part comes to a page that is not
 * complete yet, because they need each other's parts. With a new shell, only its own and those of remotes that change with it are thorough.
 */
async function journeysOf(
  shown: ReleaseContent,
  { store, live, next }: ReleaseCandidate,
  { part, remotes }: Subject,
): Promise<PartJourneys[]> {
  const isComing = part !== 'shell' && !live?.remotes[part];
  if (isComing && remoteNames.some((name) => !shown.remotes[name])) return [];
  const changed = changedRemotes(live, next);
  return Promise.all(
    referencedVersions(shown).map(async ({ part: owner, version }) => {
      const isReleased = owner !== 'shell' && remotes.has(owner);
      const isNew =
        owner === 'shell' || changed.some((each) => each.part === owner && each.version === version);
      const isThorough = part === 'shell' ? isNew : isReleased;
      return { part: owner, journeys: await readJourneys(store, owner, version), isThorough };
    }),
  );
}

/** The journeys of a stored version. */
export async function readJourneys(store: ReleaseStore, part: PartName, version: string): Promise<Journeys> {
  return (await readVersion(store, part, version)).manifest.journeys ?? {};
}

/** Stores the picture of a broken journey, and names the part whose journey it is and the part that broke it. */
async function reportJourney(
  { store, part, version }: Subject,
  { part: owner, name, why, where, picture }: BrokenJourney,
): Promise<string> {
  const file = picture && (await store.pictures.addJourney(part, version, name, picture));
  const whose = owner === part ? 'its own journey' : `the journey of ${owner}`;
  const seen = file ? `. Picture: ${file}` : '';
  return `breaks ${whose} "${name}"${where}, ${why}${seen}`;
}

/** The site that a state of the page would be. */
export async function siteOf(
  { store, site }: Pick<ReleaseCandidate, 'store' | 'site'>,
  content: ReleaseContent,
): Promise<OfflineSite> {
  const release = { ...content, releaseId: releaseIdPlaceholder };
  return siteOfPages(store, await composePages(store, release, site), site);
}

/** A live page that is broken must not stop the version that mends it, which is then compared with nothing. */
function noComparison(error: unknown): undefined {
  if (!(error instanceof ReleaseError)) throw error;
}

/** Merges the violations that several visitors saw. Those of a single visitor come last, and name the visitor. */
function mergeViolations(
  visits: readonly ({ readonly visitor: VisitorName } & Inspection)[],
  kind: 'violations' | 'acceptable' = 'violations',
): string[] {
  const all = visits.flatMap(({ visitor, [kind]: texts = [] }) => texts.map((text) => ({ visitor, text })));
  // Numbers, and how many others there are, differ between visitors.
  const byText = Map.groupBy(all, ({ text }) => plain(text.split(/, | and /, 1)[0] ?? ''));
  const merged = [...byText.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const isOfOne = others.every(({ visitor }) => visitor === first.visitor);
    const suffix = isOfOne ? `, for a visitor with ${visitors[first.visitor].description}` : '';
    return [{ text: `${first.text}${suffix}`, isOfOne }];
  });
  return merged.toSorted((one, other) => Number(one.isOfOne) - Number(other.isOfOne)).map(({ text }) => text);
}
