import { isDeepStrictEqual } from 'node:util';
import type { Journey, Journeys } from '@countersign/contracts/journeys';
import type { PartName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import { openTab, type Tab } from '../browser/open-tab.ts';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import type { SiteReader } from '../browser/site-reader.ts';
import { limits, Pace, type Timed } from '../browser/pace.ts';
import { forVisitor, visitConcurrently, type VisitorName } from '../browser/visitors.ts';
import type { SecondAttempt } from '../../store/second-attempts.ts';
import { followJourney, type JourneyFailure } from './follow-journey.ts';

/** The journeys of a part. */
export interface PartJourneys {
  readonly part: PartName;
  readonly journeys: Journeys;
  /** Those of its live version. */
  readonly liveJourneys?: Journeys;
  /** Follows journeys with `often: false`, too, and most others at two widths. Reports even those that fail in the live page as well. */
  readonly isThorough: boolean;
}

/** A journey that failed twice. */
export interface BrokenJourney extends JourneyFailure {
  readonly part: PartName;
  readonly name: string;
  /** Width of the window, and what else is special about the page. */
  readonly where: string;
  /** PNG of the page after the second failure, unless the page failed as a whole, or no picture could be taken. */
  readonly picture?: Uint8Array | undefined;
  /** Set if the page failed as a whole. */
  readonly pageFailure?: PageFailure;
}

/** Why a journey failed once. */
type Failure = JourneyFailure & Pick<BrokenJourney, 'picture' | 'pageFailure'>;

interface Plan extends Omit<PartJourneys, 'journeys'> {
  readonly visitor: VisitorName;
  readonly name: string;
  readonly journey: Journey;
}

/**
 * Visitor → its journeys. Journeys that choose a theme come late, and journeys that begin with another page last, so that the others
 * can share one.
 */
function planJourneys(parts: readonly PartJourneys[]): ReadonlyMap<VisitorName, Plan[]> {
  const plans = parts.flatMap(({ journeys, ...part }) =>
    Object.entries(journeys).flatMap(([name, journey]) =>
      visitorsOf(journey, part.isThorough).map((visitor): Plan => ({ ...part, visitor, name, journey })),
    ),
  );
  const order = ({ journey: { steps } }: Plan) =>
    opensPage(steps) ? 2 : Number(steps.some((step) => 'reload' in step || 'theme' in step));
  plans.sort((one, other) => order(one) - order(other));
  return Map.groupBy(plans, ({ visitor }) => visitor);
}

const opensPage = ([first]: Journey['steps']) => first !== undefined && 'reload' in first;

function visitorsOf(journey: Journey, isThorough: boolean): readonly VisitorName[] {
  const { page, at, often } = journey;
  if (often === false && !isThorough) return [];
  const first = visitorOf(journey);
  if (page !== undefined || !isThorough) return [first];
  if (at === 'narrow') return [first, 'tablet'];
  return at === undefined && often !== false ? [first, 'narrow'] : [first];
}

/** The visitor that follows a journey, the first one of several. */
export const visitorOf = ({ page, at }: Journey): VisitorName => page ?? at ?? 'wide';

interface JourneyOptions {
  readonly site: SiteReader;
  /** The live page. A journey that fails there as well is broken only if its own part is released. */
  readonly liveSite?: SiteReader | undefined;
  readonly parts: readonly PartJourneys[];
  readonly pace?: Pace;
  /** Limits of a step, in milliseconds. */
  readonly stepLimits?: readonly [first: number, second: number];
  /** Tabs that stay open for the next run, because to load a page again takes half as long as the first time. */
  readonly tabs?: Map<VisitorName, Tab>;
  /** Broken journeys after which nothing more is followed on a page. Default: 2. */
  readonly maxBroken?: number;
}

export type JourneyResults = Pick<JourneyRun, 'followed' | 'broken' | 'secondAttempts'>;

/** Follows the journeys of parts in a page, several at a time. */
export async function runJourneys(browser: Browser, options: JourneyOptions): Promise<JourneyResults> {
  const run = new JourneyRun(browser, options);
  await visitConcurrently(run.visitors, (visitor) => run.follow(visitor));
  const { followed, broken, secondAttempts } = run;
  return { followed, broken, secondAttempts };
}

/** Journeys that several visitors follow at the same time. */
export class JourneyRun {
  /** Number of journeys that were followed, each once per page. */
  followed = 0;
  readonly broken: BrokenJourney[] = [];
  /** Journeys that passed, but not at first, and those of other parts that fail as early in the live page. */
  readonly secondAttempts: SecondAttempt[] = [];
  /** Why journeys that have failed twice cannot be judged: they failed in the live page at the same time. */
  readonly undecided: string[] = [];
  /** Set if the page fails as a whole, because its journeys say nothing more then. */
  isStopped = false;
  readonly #browser: Browser;
  readonly #options: JourneyOptions;
  readonly #plans: ReadonlyMap<VisitorName, Plan[]>;
  readonly #pace: Pace;

  constructor(browser: Browser, options: JourneyOptions) {
    this.#browser = browser;
    this.#options = options;
    this.#pace = options.pace ?? new Pace();
    this.#plans = planJourneys(options.parts);
  }

  /** The visitors that have journeys. */
  get visitors(): Iterable<VisitorName> {
    return this.#plans.keys();
  }

  /**
   * Follows the journeys of a visitor, one after the other. One that fails must fail once more, alone on a page of its own and
   * beside the live page, to be broken.
   *
   * @param opened a tab in which the visitor has opened the page. It is closed in the end.
   */
  async follow(visitor: VisitorName, opened?: Tab): Promise<void> {
    const { site, liveSite, tabs, maxBroken = 2 } = this.#options;
    const { stepLimits: [limit] = limits.step } = this.#options;
    const where = forVisitor(visitor);
    const broken: BrokenJourney[] = [];
    const kept = tabs?.get(visitor);
    tabs?.delete(visitor);
    kept?.renew(site);
    let tab = opened ?? kept;
    let last: Journey | undefined;
    try {
      for (const plan of this.#plans.get(visitor) ?? []) {
        const { part, name, journey } = plan;
        const isEnough = this.undecided.length + broken.length >= maxBroken;
        // A page that fails as a whole fails the next journeys, too.
        if (this.isStopped || isEnough || broken.some(({ pageFailure }) => pageFailure)) break;
        this.followed += 1;
        tab ??= await openTab(this.#browser, site, visitor, this.#pace);
        const first = await followOnTab(tab, journey, limit, last);
        last = journey;
        if (!first) continue;
        await tab[Symbol.asyncDispose]();
        tab = undefined;
        if (this.isStopped) break;
        // A live page that does not have the journey is only opened.
        const isKnown = !plan.isThorough || isDeepStrictEqual(plan.liveJourneys?.[name], journey);
        const liveJourney = isKnown ? journey : { steps: [] };
        const [second, liveFailure] = await Promise.all([
          this.#followAlone(site, visitor, journey),
          liveSite && this.#followAlone(liveSite, visitor, liveJourney, { isLive: true }),
        ]);
        if (!second) this.secondAttempts.push({ part, journey: name, why: `${first.why} (${where})` });
        else if (liveFailure && (liveFailure.pageFailure instanceof OutOfTime || this.#pace.isSlow))
          this.undecided.push(`the live page fails, too, at "${name}": ${liveFailure.why} (${where})`);
        else if (
          !liveFailure ||
          plan.isThorough ||
          (second.step ?? Infinity) < (liveFailure.step ?? Infinity)
        )
          broken.push({ part, name, where, ...second });
        else {
          const why = `${second.why}; in the live page, ${liveFailure.why} (${where})`;
          this.secondAttempts.push({ part, journey: name, why });
        }
      }
    } finally {
      this.broken.push(...broken);
      if (tab && tabs) tabs.set(visitor, tab);
      else await tab?.[Symbol.asyncDispose]();
    }
  }

  /** Follows a journey on a page of its own. */
  async #followAlone(
    site: SiteReader,
    visitor: VisitorName,
    journey: Journey,
    options: Partial<Pick<Timed, 'isLive'>> = {},
  ): Promise<Failure | undefined> {
    const { stepLimits: [, limit] = limits.step } = this.#options;
    await using tab = await openTab(this.#browser, site, visitor, this.#pace, options);
    return await followOnTab(tab, journey, limit);
  }
}

/** Follows a journey on a page, which may have followed another one before. */
export async function followOnTab(
  tab: Tab,
  journey: Journey,
  limit: number,
  last?: Journey,
): Promise<Failure | undefined> {
  try {
    await tab.guard(prepare(tab, journey, last));
    const failure = await tab.guard(followJourney(tab, journey, limit));
    if (!failure) return undefined;
    const picture = await tab
      .guard(tab.page.screenshot({ timeout: tab.limitOf(limit) }))
      .catch(() => undefined);
    return { ...failure, picture };
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    return { why: `the part ${error.message}`, pageFailure: error };
  }
}

/**
 * Prepares a page for a journey. Opens it if it is new, has the code that an early visitor lacks, or keeps what the last journey typed or
 * chose, unless the next opens it itself.
 */
async function prepare(tab: Tab, next: Journey, last: Journey | undefined): Promise<void> {
  const { page } = tab;
  const typed = (last?.steps ?? []).flatMap((step) => ('text' in step ? [step.text] : []));
  const isClean = await page.evaluate((texts) => {
    scrollTo({ top: 0, behavior: 'instant' });
    // Moves the place from which Tab goes on.
    document.body.tabIndex = -1;
    document.body.focus({ preventScroll: true });
    document.body.removeAttribute('tabindex');
    document.body.blur();
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    const isFilled = fields.some(({ value }) => texts.includes(value));
    try {
      // The theme of a visitor who has been here before.
      const isStored = Object.values(localStorage).some((value) => value !== 'system');
      localStorage.clear();
      sessionStorage.clear();
      return !isFilled && !isStored;
    } catch {
      // A visitor can forbid it.
      return !isFilled;
    }
  }, typed);
  const isReady = opensPage(next.steps) || (isClean && !tab.mustReopen && !tab.isEarly);
  if (new URL(page.url()).pathname !== '/' || !isReady) await tab.open();
}
