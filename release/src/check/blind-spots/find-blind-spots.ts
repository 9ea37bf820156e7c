import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Mutant } from '@countersign/webpack-config/build-mutants';
import type { Journeys } from '@countersign/contracts/journeys';
import type { Browser } from 'playwright-core';
import { openPage, type OpenPage } from '../browser/open-page.ts';
import { limits, Pace } from '../browser/pace.ts';
import { inTurns, visitors, type VisitorName } from '../browser/visitors.ts';
import { inspectPage } from '../invariants/inspect-page.ts';
import { takePictures } from '../invariants/take-pictures.ts';
import { JourneyRun, runJourneys, type PartJourneys } from '../journeys/run-journeys.ts';
import { errorMessage } from '../../platform/file-error.ts';
import { ReleaseError } from '../../platform/release-error.ts';
import { mutantPages, type MutantPage, type MutatedRelease } from './mutant-page.ts';
import { suggestSteps, suggestUse } from './suggest-steps.ts';

/** What was found out about a mutant. */
export interface Result {
  readonly mutant: Mutant;
  /** Whether all that could notice it has looked at it. */
  isTried: boolean;
  /** What detects it, and why. */
  noticedBy?: string | undefined;
  /** Whether a person can see it in the page as it opens. */
  isVisible: boolean;
  /** Steps of journeys that would notice it. */
  steps: readonly string[];
}

export interface Trial extends MutatedRelease {
  readonly browser: Browser;
  /** The journeys of all parts in the page. */
  readonly journeys: readonly PartJourneys[];
  /** The mutants to try. Those with a reason are left out. */
  readonly chosen: readonly Mutant[];
  /** After this time nothing more begins, in milliseconds since the process started. */
  readonly deadline: number;
  progress(line: string): void;
}

/** A trial, with what its steps need. */
interface Session extends Trial {
  readonly open: (mutants: readonly Mutant[]) => Promise<MutantPage>;
  readonly without: MutantPage;
  /** Limits are longer on a busy machine, by what the page without a mutant takes. */
  readonly pace: Pace;
}

/** Limits of a step. The first failure is a suspicion. At the second one, alone on a new page, a step has the time that it has in the check. */
const stepLimits = [1_500, limits.step[0]] as const;
/** How many mutants are looked at together. */
const maxTogether = 16;
const lanes = availableParallelism() + 1;
const names = Object.keys(visitors) as VisitorName[];

/**
 * Finds the mutants of a part that nothing would notice. First it follows the part's own journeys that reach a mutant. It then looks at
 * those that are left, several at a time, with the journeys of all parts and the invariants of the check. Throws a {@link ReleaseError}
 * if the page without a mutant does not pass.
 */
export async function findBlindSpots(trial: Trial): Promise<readonly Result[]> {
  const { part, journeys, chosen, progress } = trial;
  const open = await mutantPages(trial);
  const session = { ...trial, open, without: await open([]), pace: new Pace() };
  const own = journeys.find((each) => each.part === part)?.journeys ?? {};
  const reached = await followWithout(session, own);
  const results = chosen.map((mutant): Result => ({ mutant, isTried: false, isVisible: false, steps: [] }));
  const tried = results.filter(({ mutant }) => mutant.reason === undefined);
  progress(`${tried.length} mutants: following the journeys of ${part}`);
  await tryEach(session, tried, own, reached);
  const left = () => tried.filter(({ noticedBy }) => noticedBy === undefined);
  if (left().length > 0) await tryTogether(session, left());
  const unnoticed = left().filter(({ isTried }) => isTried);
  if (unnoticed.length > 0) await describeEach(session, unnoticed);
  return results;
}

/** Follows each journey of the part on a page without a mutant. Returns which mutants it reaches, if that is known: journey → ids. */
async function followWithout(
  { browser, part, without: { site } }: Session,
  own: Journeys,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const reached = new Map<string, ReadonlySet<string>>();
  await inTurns(names, async (visitor) => {
    const pages = new Map<VisitorName, OpenPage>();
    for (const [name, journey] of Object.entries(own)) {
      const parts = [{ part, journeys: eachOnce({ [name]: journey }), isThorough: false }];
      const run = new JourneyRun(browser, { site, parts, pages });
      await run.follow(visitor);
      for (const { why, where } of run.broken) refusePage(`"${name}" is broken (${where}): ${why}`);
      const page = pages.get(visitor);
      // A page that is loaded again has forgotten some.
      if (run.followed === 0 || !page || journey.steps.some((step) => 'reload' in step)) continue;
      reached.set(name, new Set(await page.page.evaluate(() => [...(globalThis.reachedMutants ?? [])])));
    }
    await closeAll(pages);
  });
  return reached;
}

function refusePage(why: string): never {
  throw new ReleaseError(
    `The page does not pass without a mutant, so nothing can be said about mutants: ${why}. Put it right first.`,
  );
}

/** Each is followed by one visitor, also where the check leaves it to releases of the part. */
function eachOnce(journeys: Journeys): Journeys {
  return Object.fromEntries(
    Object.entries(journeys).map(([name, journey]) => {
      const once = { ...journey };
      delete once.often;
      return [name, once];
    }),
  );
}

const closeAll = (pages: ReadonlyMap<VisitorName, OpenPage>) =>
  Promise.all(Array.from(pages.values(), (page) => page[Symbol.asyncDispose]()));

/** Calls a function with each item, several at a time, until the deadline. */
async function inLanes<Item>(
  items: readonly Item[],
  { deadline, progress }: Trial,
  work: (item: Item, pages: Map<VisitorName, OpenPage>) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const lane = async () => {
    const pages = new Map<VisitorName, OpenPage>();
    for (const [index, item] of waiting) {
      if (performance.now() > deadline) break;
      if (index > 0 && index % 20 === 0) progress(`${index} of ${items.length}`);
      await work(item, pages);
    }
    await closeAll(pages);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Follows the part's own journeys that reach a mutant, those first that have noticed most. */
async function tryEach(
  session: Session,
  results: readonly Result[],
  own: Journeys,
  reached: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const { browser, part, open, without, pace } = session;
  const successes = new Map<string, number>();
  await inLanes(results, session, async (result, pages) => {
    const { mutant } = result;
    const page = await open([mutant]).catch(errorMessage);
    if (typeof page === 'string') {
      result.noticedBy = `the build: ${page}`;
      return;
    }
    const { site, isOther } = page;
    const followed = Object.entries(eachOnce(own))
      .filter(([name]) => isOther || (reached.get(name)?.has(mutant.id) ?? true))
      .toSorted(([one], [other]) => (successes.get(other) ?? 0) - (successes.get(one) ?? 0));
    const parts = [{ part, journeys: Object.fromEntries(followed), isThorough: false }];
    const live = { liveSite: without.site, pace };
    const run = new JourneyRun(browser, { ...live, site, parts, stepLimits, pages, maxBroken: 1 });
    for (const visitor of names) {
      await run.follow(visitor);
      const [broken] = run.broken;
      if (!broken) continue;
      successes.set(broken.name, (successes.get(broken.name) ?? 0) + 1);
      result.noticedBy = `"${broken.name}": ${broken.why}`;
      return;
    }
  });
}

/** Looks at mutants several at a time, and at the halves of those of which something detects one. */
async function tryTogether(session: Session, results: readonly Result[]): Promise<void> {
  const { deadline, progress } = session;
  progress(`${results.length} are left: following the journeys of all parts, and looking at the page`);
  const why = await whatDetects(session, []);
  if (why !== undefined) refusePage(why);
  const sets = setsOf(results);
  for (let set = sets.shift(); set && performance.now() < deadline; set = sets.shift()) {
    const noticedBy = await whatDetects(
      session,
      set.map(({ mutant }) => mutant),
    );
    const [first, ...others] = set;
    if (noticedBy === undefined) for (const result of set) result.isTried = true;
    else if (first && others.length === 0) first.noticedBy = noticedBy;
    else sets.unshift(set.slice(0, set.length / 2), set.slice(set.length / 2));
  }
}

/** Sets of mutants that can be seen beside each other, because none changes a place inside of another's. */
function setsOf(results: readonly Result[]): Result[][] {
  const sets: Result[][] = [];
  for (const result of results) {
    const { file, span } = result.mutant;
    const isApart = ({ mutant: other }: Result) =>
      other.file !== file || other.span[1] <= span[0] || span[1] <= other.span[0];
    const set = sets.find((known) => known.length < maxTogether && known.every(isApart));
    if (set) set.push(result);
    else sets.push([result]);
  }
  return sets;
}

/** What the check finds in a page with some mutants: a broken journey of any part, or an invariant. */
async function whatDetects(session: Session, mutants: readonly Mutant[]): Promise<string | undefined> {
  const { browser, release, part, journeys, open, without, pace } = session;
  const page = await open(mutants).catch(errorMessage);
  if (typeof page === 'string') return page;
  const { site, store } = page;
  const { broken } = await runJourneys(browser, { site, parts: journeys, stepLimits, maxBroken: 1, pace });
  for (const { part: owner, name, why } of broken) return `"${name}" of ${owner}: ${why}`;
  const version = release.remotes[part]?.live.version ?? '';
  const remotes = new Map([[part, version]]);
  const subject = { store, site, liveSite: without.site, remotes, part, version, pictured: [part] };
  const found = await inTurns(names, async (visitor) => {
    if (!visitors[visitor].inspects) return [];
    const { opened, violations, acceptable = [] } = await inspectPage(browser, subject, visitor, pace);
    await opened?.[Symbol.asyncDispose]();
    return [...violations, ...acceptable];
  });
  const [first] = found.flat();
  return first && `the page ${first}`;
}

/** Finds out which mutants a person can see as the page opens, and which steps would notice them. */
async function describeEach(session: Session, results: readonly Result[]): Promise<void> {
  const { open, without, progress } = session;
  progress(`${results.length} are not noticed: comparing pictures`);
  const before = await lookOf(session, without);
  // Also after the deadline, because the list would be wrong without it.
  await inLanes(results, { ...session, deadline: Infinity }, async (result) => {
    const page = await open([result.mutant]);
    const after = page.isOther ? await lookOf(session, page) : before;
    result.isVisible = !isDeepStrictEqual(before.pictures, after.pictures);
    const seen = suggestSteps(before.snapshot, after.snapshot);
    result.steps = seen.length > 0 ? seen : suggestUse(result.mutant.change);
  });
}

/** How the blocks of the part look to people, and to assistive technology. */
async function lookOf({ browser, part }: Session, { site }: MutantPage) {
  const looks = ['wide', 'narrow'] as const;
  const seen = looks.map(async (visitor) => {
    await using opened = await openPage(browser, site, visitor, new Pace());
    await opened.guard(opened.open());
    const blocks = await opened.page.locator(`[data-remote="${part}"]`).all();
    const snapshots = await Promise.all(blocks.map((block) => block.ariaSnapshot()));
    return { snapshots, pictures: await takePictures(opened.page, visitor, [part]) };
  });
  const found = await Promise.all(seen);
  return {
    snapshot: found.flatMap(({ snapshots }) => snapshots).join('\n'),
    pictures: found.map(({ pictures }) => pictures),
  };
}
