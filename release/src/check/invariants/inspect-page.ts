import type { Browser } from 'playwright-core';
import type { PicturePair } from '../../store/stored-pictures.ts';
import { openTab, type Tab } from '../browser/open-tab.ts';
import type { Pace } from '../browser/pace.ts';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import { forVisitor, type VisitorName } from '../browser/visitors.ts';
import { findHeavyParts } from './find-heavy-parts.ts';
import { judgePage, observationsIn, type Findings, type ObservedPages } from './judge-page.ts';
import {
  observeLive,
  ownParts,
  type CheckedPage,
  type ObservedLivePage,
  type Visit,
} from './observe-live.ts';
import { observePage } from './observe-page.ts';
import { takePictures } from './take-pictures.ts';

/** The result of the inspection by one visitor. */
export interface Inspection extends Findings {
  readonly visitor: VisitorName;
  /** Whether the live page was observed, too. */
  readonly isCompared: boolean;
  /** The tab, unless the page has failed as a whole. The caller closes it. */
  readonly tab?: Tab | undefined;
  /** Pictures of a page without violations, beside those of the live one. */
  readonly pictures?: readonly PicturePair[];
}

interface OpenPages extends ObservedPages {
  /** `undefined` if the page has failed, which closes it. */
  readonly tab: Tab | undefined;
  readonly liveObserved: ObservedLivePage | OutOfTime | undefined;
}

/**
 * Opens the page as a visitor, and compares it with the live page. After a violation, or if the live page has failed, opens both once
 * more, and returns what it finds then. If the live page is as slow then, or breaks the same invariant, the result is undecided.
 */
export async function inspectPage(
  browser: Browser,
  checked: CheckedPage,
  visitor: VisitorName,
  pace: Pace,
): Promise<Inspection> {
  const visit = { browser, checked, visitor, pace };
  const describe = (text: string) => `${text} (${forVisitor(visitor)})`;
  const first = await observeBoth(visit, { isFresh: false });
  const found = await judge(visit, first);
  // Only a page that is late may pass the next time, and only if the live page can tell that the machine is busy.
  const mayPass = first.tab !== undefined || (first.observed instanceof OutOfTime && !pace.hasNoLivePage);
  if (!mayPass) return found;
  const texts = [...found.violations, ...found.changedLooks].map(({ text }) => text);
  if ((found.isCompared || !checked.liveSite) && texts.length + found.undecided.length === 0)
    return { ...found, tab: first.tab, pictures: await pairPictures(checked, first) };
  await first.tab?.[Symbol.asyncDispose]();

  const second = await observeBoth(visit, { isFresh: true });
  const { tab } = second;
  const decided = await judge(visit, second, first.tab ? first : undefined);
  const { violations, changedLooks, undecided } = decided;
  if (undecided.length > 0)
    return { ...decided, violations: [], changedLooks: [], undecided: undecided.map(describe), tab };
  if (violations.length > 0) return { ...decided, tab };
  const passed = { ...decided, tab, pictures: await pairPictures(checked, second) };
  if (changedLooks.length > 0 || texts.length === 0) return passed;
  return { ...passed, secondAttempts: [{ part: checked.part, why: describe(texts.join('; ')) }] };
}

/** Observes the page and the live page at the same time. */
async function observeBoth(visit: Visit, options: Parameters<typeof observeLive>[1]): Promise<OpenPages> {
  const { browser, checked, visitor, pace } = visit;
  const tab = await openTab(browser, checked.site, visitor, pace);
  const observingLive = observeLive(visit, options);
  // It is awaited later.
  observingLive.catch(() => undefined);
  const observing = observePage(tab, ownParts(checked), Object.fromEntries(checked.remotes));
  const observed = await tab.guard(observing).catch(async (error: unknown) => {
    await tab[Symbol.asyncDispose]();
    if (error instanceof PageFailure) return error;
    throw error;
  });
  const hasFailed = observed instanceof PageFailure;
  const isFast = !hasFailed && pace.isInTime(tab);
  return { tab: hasFailed ? undefined : tab, observed, isFast, liveObserved: await observingLive };
}

async function judge(
  { checked, visitor }: Visit,
  pages: ObservedPages,
  first?: ObservedPages,
): Promise<Inspection> {
  const { store, remotes, pictured } = checked;
  const { observed } = pages;
  const [liveObservation] = observationsIn(pages);
  const findHeavy = (loaded?: readonly string[]) => findHeavyParts(store, remotes, loaded);
  const found = observed instanceof PageFailure ? [] : await findHeavy(observed.loaded);
  // A new shell does not answer for what remotes load without it, too.
  const known = liveObservation && found.length > 0 ? await findHeavy(liveObservation.loaded) : [];
  const heavy = found.filter((text) => !known.includes(text));
  const options = { heavy, comparesLooks: pictured.length > 0 };
  const isCompared = liveObservation !== undefined;
  return { visitor, isCompared, secondAttempts: [], ...judgePage(pages, first, ownParts(checked), options) };
}

/** Pictures of a page beside those of the live one, if both were seen. */
async function pairPictures(
  { pictured }: CheckedPage,
  { tab, liveObserved }: OpenPages,
): Promise<readonly PicturePair[]> {
  if (!tab || !liveObserved || liveObserved instanceof OutOfTime) return [];
  const taken = await takePictures(tab, pictured);
  return Object.entries(taken ?? {}).flatMap(([name, candidate]) => {
    const livePicture = liveObserved.pictures[name];
    return livePicture === undefined ? [] : [{ name, live: livePicture, candidate }];
  });
}
