import { isDeepStrictEqual } from 'node:util';
import type { Journeys } from '@countersign/contracts/journeys';
import { stateOf, versionsIn } from '@countersign/contracts/release-versions';
import { remoteNames } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { Browser } from 'playwright-core';
import { ReleaseError } from '../platform/release-error.ts';
import type { SecondAttempt } from '../store/second-attempts.ts';
import { readJourneys } from '../store/stored-version.ts';
import { composeSite } from './browser/offline-site.ts';
import type { Pace } from './browser/pace.ts';
import { forVisitor, inTurns, visitors, type VisitorName } from './browser/visitors.ts';
import { inspectPage, type CheckedPage, type Inspection } from './invariants/inspect-page.ts';
import { violationOf } from './invariants/invariants.ts';
import { JourneyRun, type BrokenJourney, type PartJourneys } from './journeys/run-journeys.ts';
import { newBesideLive, readShownContent, type PlannedPage } from './planned-pages.ts';
import { hasNewSettings, type ReleaseCandidate } from './release-candidate.ts';

/** The results of the check of one page. */
export interface PageFindings {
  /** Predicates of the part: `removes slots: …`. */
  readonly violations: readonly string[];
  /** Predicates of the part that a person may accept. */
  readonly changedLooks: readonly string[];
  /** Why some are undecided: the live page has them as well. */
  readonly undecided: readonly string[];
  readonly secondAttempts: readonly SecondAttempt[];
}

type VisitorInspection = Inspection & { readonly visitor: VisitorName };

/**
 * Opens a page as all visitors, who inspect it, follow the journeys of its parts, or do both. Stores pictures if nothing is wrong.
 */
export async function checkPage(
  browser: Browser,
  candidate: ReleaseCandidate,
  planned: PlannedPage,
  pace: Pace,
): Promise<PageFindings> {
  const compared = await readComparedVersion(candidate, planned);
  const parts = await readJourneysToFollow(candidate, planned);
  const sites = await composeSites(candidate, planned);
  pace.hasNoLivePage = !sites.liveSite;
  const { site, liveSite, siteBefore } = sites;
  const before = compared.journeys;
  const run = new JourneyRun(browser, { site, liveSite: siteBefore, parts, before, pace });
  const inspections = await visitAll(browser, { ...planned, site, liveSite }, run, pace);

  const violations = mergeViolations(inspections, 'violations');
  const undecided = [...inspections.flatMap((each) => each.undecidedBecause ?? []), ...run.undecided];
  const now = parts.find(({ part }) => part === planned.part)?.journeys ?? {};
  const journeys = compareJourneys(compared.journeys, now);
  if (journeys.dropped.length > 0 && Object.keys(now).length === 0)
    violations.push('drops all of its journeys: it must promise something');
  if (violations.length + undecided.length + run.broken.length === 0) {
    await storePictures(planned, compared.version, journeys, inspections);
    if (run.followed === 0 && parts.length > 0) violations.push('was not used: 0 journeys were followed');
  }
  const keys = inspections.flatMap((each) => each.violations.map(({ key }) => key));
  const hasOthers = violations.length > 0;
  const broken = brokenJourneys(run.broken, { hasOthers, reportedKeys: new Set(keys) });
  const reported = await Promise.all(broken.map((journey) => reportJourney(planned, journey)));
  return {
    violations: [...violations, ...reported],
    changedLooks: mergeViolations(inspections, 'changedLooks'),
    undecided,
    secondAttempts: [...run.secondAttempts, ...inspections.flatMap((each) => each.secondAttempt ?? [])],
  };
}

/** The live version of the part that answers for the page, with what it promises. */
async function readComparedVersion({ liveRelease, store }: ReleaseCandidate, { part }: PlannedPage) {
  const version = liveRelease && stateOf(part, liveRelease)?.live;
  return { version, journeys: version === undefined ? {} : await readJourneys(store, part, version) };
}

/**
 * The page, and the live page with its settings, unless there is none or it is broken. Before new settings, visitors could do what they
 * can in the live page with the present ones.
 */
async function composeSites(candidate: ReleaseCandidate, planned: PlannedPage) {
  const { store, liveRelease, siteConfig, liveSiteConfig = siteConfig } = candidate;
  // Beside a canary the live page has it, too, because its violations are not those of the part, or of the settings.
  const before = planned.onlySettingsChange ? planned : { ...planned, remotes: new Map() };
  const liveShown = liveRelease && (await readShownContent(liveRelease, before));
  const composeLive = (settings: SiteConfig) =>
    liveShown && composeSite({ store, siteConfig: settings }, liveShown).catch(noComparison);
  const [site, liveSite] = await Promise.all([
    composeSite(candidate, planned.shown),
    composeLive(siteConfig),
  ]);
  const siteBefore = hasNewSettings(candidate) ? await composeLive(liveSiteConfig) : liveSite;
  return { site, liveSite, siteBefore };
}

/** Each visitor inspects the page, follows journeys, or first the one and then the other. Returns the inspections. */
async function visitAll(
  browser: Browser,
  page: CheckedPage,
  run: JourneyRun,
  pace: Pace,
): Promise<readonly VisitorInspection[]> {
  const visit = async (visitor: VisitorName): Promise<VisitorInspection | undefined> => {
    if (!visitors[visitor].inspects) return void (await run.follow(visitor));
    const inspection = await inspectPage(browser, page, visitor, pace);
    run.isStopped ||= !inspection.tab;
    if (inspection.tab) await run.follow(visitor, inspection.tab);
    return { visitor, ...inspection };
  };
  const inspections = await inTurns(Object.keys(visitors) as VisitorName[], visit);
  return inspections.filter((each) => each !== undefined);
}

/**
 * The journeys of the parts that are released, and of all others that are live. None while a part comes to a page that is not
 * complete yet, because they need each other's parts. With a new shell, only its own and those of remotes that change with it are thorough.
 */
async function readJourneysToFollow(
  { store, liveRelease, next }: ReleaseCandidate,
  { part, remotes, shown, onlySettingsChange }: PlannedPage,
): Promise<PartJourneys[]> {
  const isComing = part !== 'shell' && !liveRelease?.remotes[part];
  if (isComing && remoteNames.some((name) => !shown.remotes[name])) return [];
  const changed = newBesideLive(liveRelease, next);
  return Promise.all(
    versionsIn(shown).map(async ({ part: owner, version }) => {
      const isReleased = owner !== 'shell' && remotes.has(owner);
      const isNew =
        (owner === 'shell' && !onlySettingsChange) ||
        changed.some((each) => each.part === owner && each.version === version);
      const isThorough = part === 'shell' ? isNew : isReleased;
      return { part: owner, journeys: await readJourneys(store, owner, version), isThorough };
    }),
  );
}

/** How the promises of a version differ from those of the live one. */
function compareJourneys(before: Journeys, now: Journeys) {
  const names = Object.keys(before);
  return {
    dropped: names.filter((name) => !now[name]),
    changed: names.filter((name) => now[name] && !isDeepStrictEqual(before[name], now[name])),
  };
}

/** Stores how the page looks beside the live one, and how its journeys differ. */
async function storePictures(
  { store, part, version }: PlannedPage,
  liveVersion = '',
  { dropped, changed }: ReturnType<typeof compareJourneys>,
  inspections: readonly VisitorInspection[],
): Promise<void> {
  const journeys = dropped.length + changed.length > 0 ? { dropped, changed } : undefined;
  const pairs = inspections.flatMap(({ pictures = [] }) => pictures);
  // They only help people, so the check does not depend on them.
  await store.pictures.replace({ part, version, liveVersion, journeys }, pairs).catch(() => undefined);
}

/** The journeys to report beside other violations. One that is broken for several visitors is named once. */
function brokenJourneys(
  all: readonly BrokenJourney[],
  { hasOthers, reportedKeys }: { readonly hasOthers: boolean; readonly reportedKeys: ReadonlySet<string> },
): readonly BrokenJourney[] {
  // A journey without a picture only repeats what made the page fail. So does one that works, but meets violations that are reported.
  const repeats = ({ picture, violations }: BrokenJourney) =>
    !picture || violations?.every((text) => reportedKeys.has(violationOf(text).key));
  const broken = all.filter((journey) => !hasOthers || !repeats(journey));
  const byName = Map.groupBy(broken, ({ part, name }) => `${part} ${name}`);
  return [...byName.values()].flatMap(([first, ...others]) =>
    // Without the visitor if several saw it, because it does not depend on the visitor.
    first ? [{ ...first, where: others.length === 0 ? ` (${first.where})` : '' }] : [],
  );
}

/** Stores the picture of a broken journey, and names the part whose journey it is and the part that broke it. */
async function reportJourney(
  { store, part, version }: PlannedPage,
  { part: owner, name, why, where, picture }: BrokenJourney,
): Promise<string> {
  // A picture that cannot be stored must not hide the violation.
  const file =
    picture &&
    (await store.pictures.addJourney(part, version, `${owner} ${name}`, picture).catch(() => undefined));
  const whose = owner === part ? 'its own journey' : `the journey of ${owner}`;
  const seen = file ? `. Picture: ${file}` : '';
  return `breaks ${whose} "${name}"${where}, ${why}${seen}`;
}

/** A live page that is broken must not stop the version that mends it, which is then compared with nothing. */
function noComparison(error: unknown): undefined {
  if (!(error instanceof ReleaseError)) throw error;
}

/** Merges the violations that several visitors saw. Those of a single visitor come last, and name the visitor. */
function mergeViolations(
  inspections: readonly VisitorInspection[],
  kind: 'violations' | 'changedLooks',
): string[] {
  const all = inspections.flatMap(({ visitor, [kind]: found = [] }) =>
    found.map((violation) => ({ visitor, ...violation })),
  );
  const merged = [...Map.groupBy(all, ({ key }) => key).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const isOfOne = others.every(({ visitor }) => visitor === first.visitor);
    const suffix = isOfOne ? `, ${forVisitor(first.visitor)}` : '';
    return [{ text: `${first.text}${suffix}`, isOfOne }];
  });
  return merged.toSorted((one, other) => Number(one.isOfOne) - Number(other.isOfOne)).map(({ text }) => text);
}
