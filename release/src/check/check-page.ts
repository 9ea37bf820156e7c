import { liveVersionOf, versionsIn } from '@countersign/contracts/release-versions';
import { remoteNames } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { Browser } from 'playwright-core';
import { ReleaseError } from '../platform/release-error.ts';
import { readJourneys } from '../store/stored-version.ts';
import { composeSite } from './browser/site-reader.ts';
import type { Pace } from './browser/pace.ts';
import { visitConcurrently, visitors, type VisitorName } from './browser/visitors.ts';
import type { CheckedPage } from './invariants/observe-live.ts';
import { inspectPage, type Inspection } from './invariants/inspect-page.ts';
import { violationOf } from './invariants/invariants.ts';
import type { Findings } from './invariants/judge-page.ts';
import { JourneyRun, type PartJourneys } from './journeys/run-journeys.ts';
import { compareJourneys, mergeBrokenJourneys, mergeViolations } from './merge-findings.ts';
import { readShownContent, type PlannedPage } from './planned-pages.ts';
import { hasNewSettings, type ReleaseCandidate } from './release-candidate.ts';

/** What the visitors of a page have found. */
export type PageFindings = Findings & Pick<Inspection, 'isCompared'>;

/** Opens a page as all visitors, who inspect it, follow the journeys of its parts, or do both. Stores pictures if nothing is wrong. */
export async function checkPage(
  browser: Browser,
  candidate: ReleaseCandidate,
  planned: PlannedPage,
  pace: Pace,
): Promise<PageFindings> {
  const parts = await readJourneysToFollow(candidate, planned);
  const { site, liveSite, liveSiteWithOldSettings } = await composeSites(candidate, planned);
  pace.hasNoLivePage = !liveSite;
  const run = new JourneyRun(browser, { site, liveSite: liveSiteWithOldSettings, parts, pace });
  const inspections = await visitAll(browser, { ...planned, site, liveSite }, run, pace);

  const violations = mergeViolations(inspections, 'violations');
  const undecided = [...inspections, run].flatMap((each) => each.undecided);
  for (const { part, journeys, liveJourneys = {}, isThorough } of parts)
    if (isThorough && Object.keys(liveJourneys).length > 0 && Object.keys(journeys).length === 0)
      violations.push(violationOf(`drops all journeys of ${part}: it must promise something`));
  const isSound = violations.length + undecided.length + run.broken.length === 0;
  if (isSound && run.followed === 0 && parts.length > 0)
    violations.push(violationOf('was not used: 0 journeys were followed'));
  else if (isSound) {
    const { liveJourneys, journeys } = parts.find(({ part }) => part === planned.part) ?? {};
    const differing = compareJourneys(liveJourneys, journeys);
    await storePictures(planned, liveVersionOf(planned.part, candidate.liveRelease), differing, inspections);
  }
  const broken = mergeBrokenJourneys(run.broken, violations);
  const reported = await Promise.all(broken.map((journey) => reportJourney(planned, journey)));
  return {
    isCompared: !candidate.liveRelease || inspections.every((each) => each.isCompared),
    violations: [...violations, ...reported.map(violationOf)],
    changedLooks: mergeViolations(inspections, 'changedLooks'),
    undecided,
    secondAttempts: [run, ...inspections].flatMap((each) => each.secondAttempts),
  };
}

/**
 * The page; the live page with the new settings; and the live page with its own settings, for journeys. Live pages are `undefined` if
 * there is none or it is broken.
 */
async function composeSites(candidate: ReleaseCandidate, planned: PlannedPage) {
  const { store, liveRelease, siteConfig, liveSiteConfig = siteConfig } = candidate;
  // With canaries and previous versions that visitors get already, because their violations are not those of the checked versions.
  const kept = [...planned.remotes].filter(([part]) => !planned.versions[part]);
  const livePage = { ...planned, remotes: new Map(kept) };
  const liveContent = liveRelease && (await readShownContent(liveRelease, livePage));
  const composeLive = (settings: SiteConfig) =>
    liveContent && composeSite({ store, siteConfig: settings }, liveContent).catch(noComparison);
  const [site, liveSite] = await Promise.all([
    composeSite(candidate, planned.shown),
    composeLive(siteConfig),
  ]);
  const liveSiteWithOldSettings = hasNewSettings(candidate) ? await composeLive(liveSiteConfig) : liveSite;
  return { site, liveSite, liveSiteWithOldSettings };
}

/** Each visitor inspects the page, follows journeys, or first the one and then the other. Returns the inspections. */
async function visitAll(
  browser: Browser,
  page: CheckedPage,
  run: JourneyRun,
  pace: Pace,
): Promise<readonly Inspection[]> {
  const visit = async (visitor: VisitorName): Promise<Inspection | undefined> => {
    if (!visitors[visitor].inspects) return void (await run.follow(visitor));
    const inspection = await inspectPage(browser, page, visitor, pace);
    run.isStopped ||= !inspection.tab;
    if (inspection.tab) await run.follow(visitor, inspection.tab);
    return inspection;
  };
  const inspections = await visitConcurrently(Object.keys(visitors) as VisitorName[], visit);
  return inspections.filter((each) => each !== undefined);
}

/**
 * The journeys of the parts that are released, and of all others that are live. None while a part comes to a page that is not
 * complete yet, because they need each other's parts. With a new shell, only its own and those of remotes that change with it are thorough.
 */
async function readJourneysToFollow(
  candidate: ReleaseCandidate,
  { part, versions, shown, onlySettingsChange }: PlannedPage,
): Promise<PartJourneys[]> {
  const { store, liveRelease } = candidate;
  const isComing = part !== 'shell' && !liveRelease?.remotes[part];
  if (isComing && remoteNames.some((name) => !shown.remotes[name])) return [];
  return Promise.all(
    versionsIn(shown).map(async ({ part: owner, version }) => {
      const isThorough = versions[owner] !== undefined && !onlySettingsChange;
      const journeys = await readJourneys(store, owner, version);
      // Only thorough journeys are compared with those of the live version.
      const liveVersion = isThorough ? liveVersionOf(owner, liveRelease) : undefined;
      const liveJourneys = liveVersion === undefined ? {} : await readJourneys(store, owner, liveVersion);
      return { part: owner, journeys, liveJourneys, isThorough };
    }),
  );
}

/** Stores how the page looks beside the live one, and how its journeys differ. */
async function storePictures(
  { store, part, version }: PlannedPage,
  liveVersion = '',
  { dropped, changed }: ReturnType<typeof compareJourneys>,
  inspections: readonly Inspection[],
): Promise<void> {
  const journeys = dropped.length + changed.length > 0 ? { dropped, changed } : undefined;
  const pairs = inspections.flatMap(({ pictures = [] }) => pictures);
  // They only help people, so the check does not depend on them.
  await store.pictures.replace({ part, version, liveVersion, journeys }, pairs).catch(() => undefined);
}

/** Stores the picture of a broken journey, and names the part whose journey it is and the part that broke it. */
async function reportJourney(
  { store, part, version }: PlannedPage,
  { part: owner, name, why, where, picture, byOneVisitor }: ReturnType<typeof mergeBrokenJourneys>[number],
): Promise<string> {
  // A picture that cannot be stored must not hide the violation.
  const file =
    picture &&
    (await store.pictures.addJourney({ part, version }, `${owner} ${name}`, picture).catch(() => undefined));
  const whose = owner === part ? 'its own journey' : `the journey of ${owner}`;
  const seen = file ? `. Picture: ${file}` : '';
  // Without the visitor if several saw it, because it does not depend on the visitor.
  const place = byOneVisitor ? ` (${where})` : '';
  return `breaks ${whose} "${name}"${place}, ${why}${seen}`;
}

/** A live page that is broken must not stop the version that mends it, which is then compared with nothing. */
function noComparison(error: unknown): undefined {
  if (!(error instanceof ReleaseError)) throw error;
}
