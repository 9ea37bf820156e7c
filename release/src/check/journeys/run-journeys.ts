import type { Journey, Journeys } from '@countersign/contracts/journeys';
import type { PartName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import { openPage, PageFailure, type OpenPage } from '../browser/open-page.ts';
import type { OfflineSite } from '../browser/offline-site.ts';
import { journeyVisitors, type JourneyVisitorName } from './journey-visitors.ts';
import { followJourney } from './follow-journey.ts';

/** What a part promises. */
export interface PartJourneys {
  readonly part: PartName;
  readonly journeys: Journeys;
  /** Whether all are followed, at both widths where they allow it. Of other parts, only those that say so are. */
  readonly isThorough: boolean;
}

/** A journey that failed twice. */
export interface BrokenJourney {
  readonly part: PartName;
  readonly name: string;
  /** Which step failed, and what was there instead. */
  readonly why: string;
  /** Width of the window, and what else is special about the page. */
  readonly where: string;
  /** PNG of the page after the second failure, unless the page failed as a whole. */
  readonly picture: Uint8Array | undefined;
}

export interface JourneyResults {
  /** Number of journeys that were followed, each once per page. */
  readonly followed: number;
  readonly broken: readonly BrokenJourney[];
}

/** Limits of a step, in milliseconds: at first, and alone on a page of its own. */
const stepLimit = 4_000;
const secondStepLimit = 10_000;
/** Broken journeys after which nothing more is followed on a page. */
const maxBroken = 2;

interface Plan {
  readonly part: PartName;
  readonly name: string;
  readonly journey: Journey;
  readonly isThorough: boolean;
}

/**
 * Follows journeys in a page, several at a time. One that fails must fail once more, alone on a page of its own, to be broken.
 *
 * @param liveSite the live page. A journey that fails there as well is broken only if its own part is released.
 */
export async function runJourneys(
  browser: Browser,
  site: OfflineSite,
  parts: readonly PartJourneys[],
  liveSite?: OfflineSite,
): Promise<JourneyResults> {
  const results = await Promise.all(planLanes(parts).map((lane) => runLane(browser, site, lane, liveSite)));
  return {
    followed: results.reduce((sum, { followed }) => sum + followed, 0),
    broken: results.flatMap(({ broken }) => broken),
  };
}

interface Lane {
  readonly visitor: JourneyVisitorName;
  readonly plans: readonly Plan[];
}

/** Distributes journeys over pages. Those in a wide window are the most, so they get two. */
function planLanes(parts: readonly PartJourneys[]): readonly Lane[] {
  const byVisitor = new Map<JourneyVisitorName, Plan[]>();
  for (const { part, journeys, isThorough } of parts) {
    for (const [name, journey] of Object.entries(journeys)) {
      if (journey.often === false && !isThorough) continue;
      for (const visitor of visitorsOf(journey, isThorough)) {
        const plans = byVisitor.get(visitor) ?? [];
        plans.push({ part, name, journey, isThorough });
        byVisitor.set(visitor, plans);
      }
    }
  }
  return [...byVisitor].flatMap(([visitor, plans]): Lane[] => {
    if (visitor !== 'wide') return [{ visitor, plans }];
    const half = plans.reduce((sum, { journey }) => sum + journey.steps.length, 0) / 2;
    let steps = 0;
    const lanes = Map.groupBy(plans, ({ journey }) => (steps += journey.steps.length) <= half);
    return [...lanes.values()].map((some) => ({ visitor, plans: some }));
  });
}

function visitorsOf({ page, at }: Journey, isThorough: boolean): readonly JourneyVisitorName[] {
  if (page !== undefined) return [page];
  if (at === 'narrow') return ['narrow', 'tablet'];
  return isThorough && at === undefined ? ['wide', 'narrow'] : ['wide'];
}

/** Follows journeys one after the other in the page of a visitor. */
async function runLane(
  browser: Browser,
  site: OfflineSite,
  { visitor, plans }: Lane,
  liveSite: OfflineSite | undefined,
): Promise<JourneyResults> {
  const { settings, description } = journeyVisitors[visitor];
  const where = `${settings.viewport.width} px wide${description === '' ? '' : `, ${description}`}`;
  const broken: BrokenJourney[] = [];
  let followed = 0;
  let shared: OpenPage | undefined;
  try {
    for (const { part, name, journey, isThorough } of plans) {
      // A page that fails as a whole has no picture, and fails the next journeys, too.
      if (broken.length === maxBroken || broken.some(({ picture }) => !picture)) break;
      followed += 1;
      let first: string | undefined;
      try {
        shared ??= await openForJourney(browser, site, visitor);
        const page = shared;
        first = await page.guard(followJourney(page, journey, stepLimit));
        if (first === undefined && (await page.guard(rewind(page, journey)))) continue;
      } catch (error) {
        first = describeFailure(error);
      }
      await shared?.[Symbol.asyncDispose]();
      shared = undefined;
      const second = first === undefined ? undefined : await followAlone(browser, site, visitor, journey);
      if (!second) continue;
      const live =
        isThorough || !liveSite ? undefined : await followAlone(browser, liveSite, visitor, journey);
      if (!live) broken.push({ part, name, where, ...second });
    }
  } finally {
    await shared?.[Symbol.asyncDispose]();
  }
  return { followed, broken };
}

async function openForJourney(
  browser: Browser,
  site: OfflineSite,
  visitor: JourneyVisitorName,
): Promise<OpenPage> {
  const opened = await openPage(browser, site, journeyVisitors[visitor]);
  try {
    await opened.guard(opened.open('/', visitor === 'early'));
    return opened;
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/** `undefined` if the journey does not fail. */
async function followAlone(
  browser: Browser,
  site: OfflineSite,
  visitor: JourneyVisitorName,
  journey: Journey,
): Promise<Pick<BrokenJourney, 'why' | 'picture'> | undefined> {
  try {
    await using page = await openForJourney(browser, site, visitor);
    const why = await page.guard(followJourney(page, journey, secondStepLimit));
    if (why === undefined) return undefined;
    const picture = await page
      .guard(page.page.screenshot({ timeout: secondStepLimit }))
      .catch(() => undefined);
    return { why, picture };
  } catch (error) {
    return { why: describeFailure(error), picture: undefined };
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof PageFailure) return `the part ${error.message}`;
  throw error;
}

/** Sets a page back after a journey. Returns `false` if it keeps what the journey has typed or chosen, so that the next one needs a new page. */
async function rewind({ page }: OpenPage, { steps }: Journey): Promise<boolean> {
  if (new URL(page.url()).pathname !== '/') return false;
  await page.keyboard.press('Escape');
  const typed = steps.flatMap((step) => ('text' in step ? [step.text] : []));
  return page.evaluate((texts) => {
    scrollTo({ top: 0, behavior: 'instant' });
    // Moves the place from which Tab goes on.
    document.body.tabIndex = -1;
    document.body.focus({ preventScroll: true });
    document.body.removeAttribute('tabindex');
    document.body.blur();
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    const isKept = (text: string) =>
      fields.some(({ value }) => value === text) ||
      Object.values(sessionStorage).some((stored) => String(stored).includes(text));
    return localStorage.length === 0 && !texts.some(isKept);
  }, typed);
}
