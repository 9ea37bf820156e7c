import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Mutant } from '@countersign/webpack-config/build-mutants';
import type { Journey } from '@countersign/contracts/journeys';
import { remoteNames, type PartName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import type { SiteReader } from '../../release/src/check/browser/site-reader.ts';
import { openTab } from '../../release/src/check/browser/open-tab.ts';
import { limits, Pace } from '../../release/src/check/browser/pace.ts';
import { PageFailure } from '../../release/src/check/browser/page-failure.ts';
import { forVisitor, visitors, type VisitorName } from '../../release/src/check/browser/visitors.ts';
import { brokenInvariants, type Observation } from '../../release/src/check/invariants/invariants.ts';
import { elementsOf, observePage } from '../../release/src/check/invariants/observe-page.ts';
import { takePictures } from '../../release/src/check/invariants/take-pictures.ts';
import {
  followOnTab,
  JourneyRun,
  visitorOf,
  type PartJourneys,
} from '../../release/src/check/journeys/run-journeys.ts';
import { ReleaseError } from '../../release/src/platform/release-error.ts';
import { mutantPages, type MutantPage, type MutatedRelease, type OpenMutants } from './mutant-page.ts';
import { inLanes, searchMutants, type Detector, type Result, type Tabs } from './search-mutants.ts';
import { suggestSteps } from './suggest-steps.ts';

interface Trial extends MutatedRelease {
  readonly browser: Browser;
  /** The mutants to try. Those with a reason are left out. */
  readonly chosen: readonly Mutant[];
  /** After this time nothing more is tried, in milliseconds since the process started. Likely journeys have half of what the build leaves. */
  readonly deadline: number;
  progress(line: string): void;
}

/** A trial, with what its steps need. */
interface Session extends Trial {
  /** The journeys of all parts in the page. */
  readonly journeys: readonly PartJourneys[];
  readonly open: OpenMutants;
  readonly without: MutantPage;
  /** Limits are longer on a busy machine, by what the page without a mutant takes. */
  readonly pace: Pace;
}

/** How many likely journeys are followed with each mutant alone at most. What these leave is tried in sets, by all that may notice it. */
const maxAlone = 10;

/** Limits of a step: of a suspicion, and of the second failure, unless the page is still as it was loaded. */
const stepLimits = [1_500, limits.step[0]] as const;
const names = Object.keys(visitors) as VisitorName[];

/**
 * Finds the mutants of a part that nothing would notice. For half of the time it follows the journeys that are likely to notice a
 * mutant: the part's own, or of a shell all. Then it tries those that are left with the invariants of the check and the journeys of all
 * parts. Throws a {@link ReleaseError} if a journey fails without a mutant.
 */
export async function findBlindSpots(trial: Trial): Promise<readonly Result[]> {
  const { manifests, part, chosen, deadline, progress } = trial;
  const results = chosen.map((mutant): Result => ({ mutant, isTried: mutant.reason === undefined }));
  const tried = results.filter(({ isTried }) => isTried);
  if (tried.length === 0) return results;
  const journeys = manifests.map(({ name, journeys: promised = {} }): PartJourneys => {
    return { part: name, journeys: promised, isThorough: name === part };
  });
  // Its own are followed first, because most that is noticed is noticed by them.
  journeys.sort((one, other) => Number(other.part === part) - Number(one.part === part));
  const open = await mutantPages(trial);
  const session = { ...trial, journeys, open, without: await open([]), pace: new Pace() };
  progress(`${tried.length} mutants: following the journeys of ${part === 'shell' ? 'all parts' : part}`);
  await searchMutants(tried, open, followsOwn(session), {
    // A step that fails is waited for, which leaves the processor to others.
    lanes: 4 * availableParallelism(),
    // Most are noticed.
    size: 1,
    deadline: (performance.now() + deadline) / 2,
    progress,
  });
  const left = () => tried.filter(({ isTried, noticedBy }) => isTried && noticedBy === undefined);
  // A look at the page takes least.
  const searches = [
    ...names.filter((name) => visitors[name].inspects).map((name) => [name, compares] as const),
    ...names.map((name) => [name, followsAll] as const),
  ];
  await inLanes(availableParallelism() + 1, searches.values(), async ([visitor, detectorOf]) => {
    const others = left();
    if (others.length === 0) return;
    progress(`${others.length} are left, ${forVisitor(visitor)}`);
    const search = searchMutants(others, open, detectorOf(session, visitor), { deadline });
    const notTried = await search.catch((error: unknown) => {
      if (!(error instanceof PageFailure)) throw error;
      // On a busy machine. It must not lose what was found before.
      progress(`The page without a mutant ${error.message}, ${forVisitor(visitor)}.`);
      return others;
    });
    for (const result of notTried) result.isTried = result.noticedBy !== undefined;
  });
  if (left().length === 0) return results;
  progress(`${left().length} are not noticed: comparing pictures`);
  await describeEach(session, left());
  return results;
}

function refusePage(why: string): never {
  throw new ReleaseError(
    `The page does not pass without a mutant, so nothing can be said about mutants: ${why}. Put it right first.`,
  );
}

/** Follows likely journeys that reach a mutant: first those that have its texts, have noticed most near it, or are short. */
function followsOwn(session: Session): Detector {
  const { part, journeys } = session;
  // What a shell does shows in the journeys of all.
  const likely = part === 'shell' ? journeys : journeys.filter((each) => each.part === part);
  const own = likely.flatMap((each) => Object.entries(each.journeys));
  const noticed: { readonly name: string; readonly places: readonly string[] }[] = [];
  const known = new Map<Journey, ReturnType<typeof followWithout>>();
  const reachOf = (name: string, journey: Journey) => {
    const reach = known.get(journey) ?? followWithout(session, name, journey);
    known.set(journey, reach);
    return reach;
  };
  return async ({ site, lost }, tabs, mutants) => {
    const places = mutants.map(({ file, place }) => `${file} ${place}`);
    const isNear = (other: (typeof noticed)[number]) => other.places.some((place) => places.includes(place));
    const texts = mutants.flatMap(({ change }) => /["'`](.+?)["'`…]/.exec(change)?.[1] ?? []);
    const score = ([name, { steps }]: readonly [string, Journey]) => {
      const promised = [...texts, ...(lost ?? [])].filter((text) => JSON.stringify(steps).includes(text));
      const near = noticed.filter((other) => other.name === name && isNear(other));
      return promised.length * 100 + near.length - steps.length / 100;
    };
    const last = new Map<VisitorName, Journey>();
    let followed = 0;
    for (const [name, journey] of own.toSorted((one, other) => score(other) - score(one))) {
      const reached = lost ? undefined : await reachOf(name, journey);
      if (reached && !mutants.some(({ id }) => reached.has(id))) continue;
      followed += 1;
      if (followed > maxAlone) break;
      const why = await followTwice(session, site, journey, tabs, last);
      if (why === undefined) continue;
      await reachOf(name, journey);
      noticed.push({ name, places });
      return `"${name}": ${why}`;
    }
    return undefined;
  };
}

/** Follows a journey on a page without a mutant, which it must pass. Returns the mutants that it reaches, if that is known. */
async function followWithout(
  { browser, without: { site }, pace }: Session,
  name: string,
  journey: Journey,
): Promise<ReadonlySet<string> | undefined> {
  const visitor = visitorOf(journey);
  await using tab = await openTab(browser, site, visitor, pace, { isLive: true });
  const follow = () => {
    tab.renew(site);
    return followOnTab(tab, journey, limits.step[1]);
  };
  const failure = (await follow()) && (await follow());
  if (failure) refusePage(`"${name}" is broken (${forVisitor(visitor)}): ${failure.why}`);
  // A page that is loaded again has forgotten some.
  if (journey.steps.some((step) => 'reload' in step)) return undefined;
  return new Set(await tab.page.evaluate(() => [...(globalThis.reachedMutants ?? [])]));
}

/** Names of the steps that only look at the page. */
const looks = ['see', 'notSee', 'isChosen', 'hasValue', 'focusIs'];

/** Whether a journey only looks at the page up to the step that failed. */
function hasOnlyLooked({ steps }: Journey, failed = 0): boolean {
  return failed > 0 && steps.slice(0, failed).every((step) => looks.some((name) => name in step));
}

/** Follows a journey until it passes, or fails twice. `last` has the visitors' last journeys on this page, and gets this one. */
async function followTwice(
  { browser, pace }: Session,
  site: SiteReader,
  journey: Journey,
  tabs: Tabs,
  last: Map<VisitorName, Journey>,
): Promise<string | undefined> {
  const visitor = visitorOf(journey);
  const follow = async (limit: number, before?: Journey) => {
    const tab = tabs.get(visitor) ?? (await openTab(browser, site, visitor, pace));
    tabs.set(visitor, tab);
    // The first journey, and a second attempt, load the page again.
    if (!before) tab.renew(site);
    const failure = await followOnTab(tab, journey, limit, before);
    // Without a picture, the page has failed as a whole.
    if (failure && !failure.picture && tabs.delete(visitor)) await tab[Symbol.asyncDispose]();
    return failure;
  };
  const before = last.get(visitor);
  last.set(visitor, journey);
  const first = await follow(stepLimits[0], before);
  if (!first) return undefined;
  // The page is still as it was loaded.
  const isUnused = !before && hasOnlyLooked(journey, first.step);
  const second = await (isUnused ? follow(stepLimits[0], journey) : follow(stepLimits[1]));
  return second?.why;
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
function compares(session: Session, visitor: VisitorName): Detector {
  const { browser, manifests, part, without, pace } = session;
  const shown = manifests.filter(({ name }) => shownRemotes(part).some((remote) => remote === name));
  const versions = Object.fromEntries(shown.map(({ name, version }) => [name, version]));
  const observe = async (site: SiteReader, isLive: boolean) => {
    await using tab = await openTab(browser, site, visitor, pace, { isLive });
    return await tab.guard(observePage(tab, [part], versions));
  };
  const known: Observation[] = [];
  const look = async (site: SiteReader) => {
    const seen = await observe(site, false).catch((error: unknown) => {
      // Another error is no verdict, such as of a browser that was closed.
      if (!(error instanceof PageFailure)) throw error;
      return error.message;
    });
    if (typeof seen === 'string') return seen;
    return Object.values(brokenInvariants(seen, known, [part])).flat()[0]?.text;
  };
  return async ({ site }, _tabs, mutants) => {
    if (known.length === 0) known.push(await observe(without.site, true));
    let why = await look(site);
    if (why !== undefined && mutants.length === 1) {
      // What differs between both counts for nothing.
      if (known.length === 1) known.push(await observe(without.site, true));
      why = await look(site);
    }
    return why && `the page ${why}`;
  };
}

/** Compares pictures of the page as it opens, and suggests steps, until time is over. */
async function describeEach(session: Session, results: readonly Result[]): Promise<void> {
  const { open, without, deadline } = session;
  const look = (page: MutantPage) =>
    lookAt(session, page).catch((error: unknown) => {
      if (!(error instanceof PageFailure)) throw error;
      return undefined;
    });
  const before = await look(without);
  await inLanes(availableParallelism(), results.values(), async (result) => {
    if (!before || performance.now() >= deadline) return;
    const after = await look(await open([result.mutant]));
    if (!after) return;
    result.isVisible = !isDeepStrictEqual(before.pictures, after.pictures);
    result.hint = suggestSteps(before.snapshots, after.snapshots, result.mutant.change);
  });
}

/** How the slots of the part, or the whole page of the shell, look to people, and to assistive technology. */
async function lookAt({ browser, part, pace }: Session, { site }: MutantPage) {
  const pictures: unknown[] = [];
  const snapshots: string[] = [];
  for (const visitor of ['patient', 'narrow'] as const) {
    await using tab = await openTab(browser, site, visitor, pace);
    await tab.guard(tab.open());
    const slots = await tab.page.locator(part === 'shell' ? 'body' : elementsOf([part])).all();
    snapshots.push((await Promise.all(slots.map((slot) => slot.ariaSnapshot()))).join('\n'));
    pictures.push(await takePictures(tab, shownRemotes(part)));
  }
  return { pictures, snapshots };
}
