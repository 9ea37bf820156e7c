import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Mutant } from '@countersign/webpack-config/build-mutants';
import type { Journey, Journeys } from '@countersign/contracts/journeys';
import { remoteNames, type PartName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import type { OfflineSite } from '../../release/src/check/browser/offline-site.ts';
import { openTab } from '../../release/src/check/browser/open-tab.ts';
import { limits, Pace } from '../../release/src/check/browser/pace.ts';
import { forVisitor, visitors, type VisitorName } from '../../release/src/check/browser/visitors.ts';
import { brokenInvariants } from '../../release/src/check/invariants/invariants.ts';
import { elementsOf, observePage } from '../../release/src/check/invariants/observe-page.ts';
import { takePictures } from '../../release/src/check/invariants/take-pictures.ts';
import {
  followOnTab,
  hasPageFailed,
  JourneyRun,
  visitorOf,
  type PartJourneys,
} from '../../release/src/check/journeys/run-journeys.ts';
import { errorMessage } from '../../release/src/platform/errors.ts';
import { ReleaseError } from '../../release/src/platform/release-error.ts';
import { mutantPages, type MutantPage, type MutatedRelease } from './mutant-page.ts';
import { inLanes, searchMutants, Tabs, type Detector, type Result } from './search-mutants.ts';
import { suggestSteps, suggestUse } from './suggest-steps.ts';

interface Trial extends MutatedRelease {
  readonly browser: Browser;
  /** The mutants to try. Those with a reason are left out. */
  readonly chosen: readonly Mutant[];
  /** After this time nothing more is tried, in milliseconds since the process started. The part's own journeys have half of it. */
  readonly deadline: number;
  progress(line: string): void;
}

/** A trial, with what its steps need. */
interface Session extends Trial {
  /** The journeys of all parts in the page. */
  readonly journeys: readonly PartJourneys[];
  readonly open: (mutants: readonly Mutant[]) => Promise<MutantPage>;
  readonly without: MutantPage;
  /** Limits are longer on a busy machine, by what the page without a mutant takes. */
  readonly pace: Pace;
}

/** How many own journeys are followed with each mutant alone at most. What these leave is tried in sets, by the journeys of all parts. */
const maxAlone = 10;

/** How many searches run at a time. A step that fails is waited for, which leaves the processor to others. */
const lanes = 4 * availableParallelism();

/** Limits of a step. The first failure is a suspicion. At the second one, a step has the time that it has in the check. */
const stepLimits = [1_500, limits.step[0]] as const;
const names = Object.keys(visitors) as VisitorName[];

/**
 * Finds the mutants of a part that nothing would notice. For half of the time it follows the part's own journeys that are likely to
 * notice a mutant. Then it tries those that are left with the journeys of all parts and the invariants of the check. Throws a
 * {@link ReleaseError} if the page without a mutant does not pass.
 */
export async function findBlindSpots(trial: Trial): Promise<readonly Result[]> {
  const { manifests, part, chosen, deadline, progress } = trial;
  const results = chosen.map((mutant): Result => {
    return { mutant, isTried: mutant.reason === undefined, isVisible: false, steps: [] };
  });
  const tried = results.filter(({ isTried }) => isTried);
  if (tried.length === 0) return results;
  const journeys = manifests.map(({ name, journeys: promised = {} }): PartJourneys => {
    return { part: name, journeys: promised, isThorough: name === part };
  });
  // Its own are followed first, because most that is noticed is noticed by them.
  journeys.sort((one, other) => Number(other.part === part) - Number(one.part === part));
  const open = await mutantPages(trial);
  const session = { ...trial, journeys, open, without: await open([]), pace: new Pace() };
  // What a shell does shows in the journeys of all.
  const likely = part === 'shell' ? journeys : journeys.filter((each) => each.part === part);
  const own = Object.fromEntries(likely.flatMap((each) => Object.entries(each.journeys)));
  const reached = await followWithout(session, own);
  progress(`${tried.length} mutants: following the journeys of ${part === 'shell' ? 'all parts' : part}`);
  await searchMutants(tried, open, followsOwn(session, own, reached), {
    lanes,
    // Most are noticed.
    size: 1,
    deadline: (performance.now() + deadline) / 2,
    progress,
  });
  const left = () => tried.filter(({ isTried, noticedBy }) => isTried && noticedBy === undefined);
  if (left().length === 0) return results;
  progress(`${left().length} are left: looking at the page, and following the journeys of all parts`);
  // One visitor after the other, because what one has noticed need not be tried by the next.
  const search = (visitor: VisitorName, detect: Detector) => {
    const report = (line: string) => progress(`${line}, ${forVisitor(visitor)}`);
    report(`${left().length} are left`);
    return searchMutants(left(), open, detect, { lanes, deadline, progress: report });
  };
  // A look at the page takes least.
  for (const visitor of names)
    if (visitors[visitor].inspects) await search(visitor, await compares(session, visitor));
  for (const visitor of names) await search(visitor, followsAll(session, visitor));
  progress(`${left().length} are not noticed: comparing pictures`);
  if (left().length > 0) await describeEach(session, left());
  return results;
}

/** Follows each journey of the part on a page without a mutant. Returns which mutants it reaches, if that is known: journey → ids. */
async function followWithout(
  { browser, without: { site }, pace }: Session,
  own: Journeys,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const reached = new Map<string, ReadonlySet<string>>();
  await inLanes(availableParallelism() + 1, Object.entries(own).values(), async ([name, journey], tabs) => {
    const visitor = visitorOf(journey);
    const tab = tabs.get(visitor) ?? (await openTab(browser, site, visitor, pace, { isLive: true }));
    tabs.set(visitor, tab);
    const follow = () => {
      tab.renew(site);
      return followOnTab(tab, journey, limits.step[1]);
    };
    const failure = (await follow()) && (await follow());
    if (failure) refusePage(`"${name}" is broken (${forVisitor(visitor)}): ${failure.why}`);
    // A page that is loaded again has forgotten some.
    if (journey.steps.some((step) => 'reload' in step)) return;
    reached.set(name, new Set(await tab.page.evaluate(() => [...(globalThis.reachedMutants ?? [])])));
  });
  return reached;
}

function refusePage(why: string): never {
  throw new ReleaseError(
    `The page does not pass without a mutant, so nothing can be said about mutants: ${why}. Put it right first.`,
  );
}

/** Follows those of the part's own journeys that reach a mutant which have its text, or have noticed most near it. */
function followsOwn(
  session: Session,
  own: Journeys,
  reached: ReadonlyMap<string, ReadonlySet<string>>,
): Detector {
  const noticed: { readonly name: string; readonly places: readonly string[] }[] = [];
  return async ({ site, isOther }, tabs, mutants) => {
    const places = mutants.map(({ file, place }) => `${file} ${place}`);
    const isNear = (other: (typeof noticed)[number]) => other.places.some((place) => places.includes(place));
    const texts = mutants.flatMap(({ change }) => /["'`](.+?)["'`…]/.exec(change)?.[1] ?? []);
    const score = ([name, { steps }]: readonly [string, Journey]) => {
      const promised = texts.filter((text) => JSON.stringify(steps).includes(text));
      return promised.length * 100 + noticed.filter((other) => other.name === name && isNear(other)).length;
    };
    const followed = Object.entries(own)
      .filter(([name]) => isOther || mutants.some(({ id }) => reached.get(name)?.has(id) ?? true))
      .toSorted((one, other) => score(other) - score(one))
      .slice(0, maxAlone);
    for (const [visitor, list] of Map.groupBy(followed, ([, journey]) => visitorOf(journey))) {
      const broken = await followAs(session, visitor, site, list, tabs);
      if (!broken) continue;
      noticed.push({ name: broken.name, places });
      return `"${broken.name}": ${broken.why}`;
    }
    return undefined;
  };
}

/** Names of the steps that only look at the page. */
const looks = ['see', 'notSee', 'isChosen', 'hasValue', 'focusIs'];

/** Whether a journey failed at a step up to which it only looks at the page. */
function hasOnlyLooked({ steps }: Journey, why: string): boolean {
  const [, failed] = /^step (\d+) of/.exec(why) ?? [];
  if (failed === undefined) return false;
  return steps.slice(0, Number(failed)).every((step) => looks.some((name) => name in step));
}

/** Follows journeys as one visitor until one fails twice, the second time after the page was loaded again, unless it is as it was then. */
async function followAs(
  { browser, pace }: Session,
  visitor: VisitorName,
  site: OfflineSite,
  followed: readonly (readonly [name: string, journey: Journey])[],
  tabs: Tabs,
): Promise<{ readonly name: string; readonly why: string } | undefined> {
  const follow = async (limit: number, journey: Journey, last?: Journey) => {
    const tab = tabs.get(visitor) ?? (await openTab(browser, site, visitor, pace));
    tabs.set(visitor, tab);
    // The first journey, and a second attempt, load the page again.
    if (!last) tab.renew(site);
    const failure = await followOnTab(tab, journey, limit, last);
    if (failure && hasPageFailed(failure) && tabs.delete(visitor)) await tab[Symbol.asyncDispose]();
    return failure;
  };
  let last: Journey | undefined;
  for (const [name, journey] of followed) {
    const first = await follow(stepLimits[0], journey, last);
    const isAsLoaded = first && !last && hasOnlyLooked(journey, first.why);
    const second = first && (await follow(stepLimits[1], journey, isAsLoaded ? journey : undefined));
    if (second) return { name, why: second.why };
    last = journey;
  }
  return undefined;
}

/** Follows the journeys of all parts as one visitor. The first time that one is broken, it must not be so without a mutant. */
function followsAll({ browser, journeys: parts, without, pace }: Session, visitor: VisitorName): Detector {
  const follow = async ({ site }: MutantPage, tabs: Tabs) => {
    const run = new JourneyRun(browser, { site, parts, stepLimits, tabs, maxBroken: 1, pace });
    await run.follow(visitor);
    const [broken] = run.broken;
    return broken && `"${broken.name}" of ${broken.part}: ${broken.why}`;
  };
  let isSound = false;
  return async (page, tabs) => {
    const why = await follow(page, tabs);
    if (why === undefined || isSound) return why;
    const broken = await follow(without, tabs);
    if (broken !== undefined) refusePage(broken);
    isSound = true;
    return why;
  };
}

/** The remotes whose slots show what a part does. */
const shownRemotes = (part: PartName) => (part === 'shell' ? remoteNames : [part]);

/** Looks at the page as one visitor, and compares it with the one without a mutant, which is looked at first. */
async function compares(session: Session, visitor: VisitorName): Promise<Detector> {
  const { browser, manifests, part, without, pace } = session;
  const shown = manifests.filter(({ name }) => shownRemotes(part).some((remote) => remote === name));
  const versions = Object.fromEntries(shown.map(({ name, version }) => [name, version]));
  const observe = async (site: OfflineSite, isLive: boolean) => {
    await using tab = await openTab(browser, site, visitor, pace, { isLive });
    return await tab.guard(observePage(tab, [part], versions));
  };
  const known = [await observe(without.site, true)];
  const look = async (site: OfflineSite) => {
    const seen = await observe(site, false).catch(errorMessage);
    if (typeof seen === 'string') return seen;
    return Object.values(brokenInvariants(seen, known, [part])).flat()[0]?.text;
  };
  return async ({ site }, _tabs, mutants) => {
    let why = await look(site);
    if (why !== undefined && mutants.length === 1) {
      // What differs between both counts for nothing.
      if (known.length === 1) known.push(await observe(without.site, true));
      why = await look(site);
    }
    return why && `the page ${why}`;
  };
}

/** Finds out which mutants a person can see as the page opens, and which steps would notice them. */
async function describeEach(session: Session, results: readonly Result[]): Promise<void> {
  const { open, without } = session;
  await using firstTabs = new Tabs();
  const before = await lookOf(session, without, firstTabs);
  await inLanes(availableParallelism(), results.values(), async (result, tabs) => {
    const page = await open([result.mutant]);
    const after = page.isOther ? await lookOf(session, page, tabs) : before;
    result.isVisible = !isDeepStrictEqual(before.pictures, after.pictures);
    const seen = suggestSteps(before.snapshot, after.snapshot);
    result.steps = seen.length > 0 ? seen : suggestUse(result.mutant.change);
  });
}

/** How the slots of the part, or the whole page of the shell, look to people, and to assistive technology. */
async function lookOf({ browser, part, pace }: Session, { site }: MutantPage, tabs: Tabs) {
  const found = [];
  for (const visitor of ['wide', 'narrow'] as const) {
    const tab = tabs.get(visitor) ?? (await openTab(browser, site, visitor, pace));
    tabs.set(visitor, tab);
    tab.renew(site);
    await tab.guard(tab.open());
    const slots = await tab.page.locator(part === 'shell' ? 'body' : elementsOf([part])).all();
    const snapshots = await Promise.all(slots.map((slot) => slot.ariaSnapshot()));
    found.push({ snapshots, pictures: await takePictures(tab, shownRemotes(part)) });
  }
  return {
    snapshot: found.flatMap(({ snapshots }) => snapshots).join('\n'),
    pictures: found.map(({ pictures }) => pictures),
  };
}
