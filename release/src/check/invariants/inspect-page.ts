import { hash } from 'node:crypto';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import type { ReleaseStore } from '../../store/release-store.ts';
import type { SecondAttempt } from '../../store/second-attempts.ts';
import type { PicturePair } from '../../store/stored-pictures.ts';
import type { OfflineSite } from '../browser/offline-site.ts';
import { openTab, type Tab } from '../browser/open-tab.ts';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import type { Pace } from '../browser/pace.ts';
import { forVisitor, visitors, type VisitorName } from '../browser/visitors.ts';
import {
  brokenInvariants,
  invariantNames,
  violationOf,
  type Observation,
  type PageViolation,
} from './invariants.ts';
import { observePage } from './observe-page.ts';
import { takePictures, type Pictures } from './take-pictures.ts';
import { weighLoaded } from './weigh-loaded.ts';

/** A page with versions that are checked. */
export interface CheckedPage {
  readonly store: ReleaseStore;
  readonly site: OfflineSite;
  /** `undefined` if there is none, or if it is broken. */
  readonly liveSite: OfflineSite | undefined;
  readonly remotes: ReadonlyMap<RemoteName, string>;
  /** The part that answers for the page: a new shell, to which all belongs, or the first of the remotes. */
  readonly part: PartName;
  readonly version: string;
  /** Remotes whose slots are pictured. */
  readonly pictured: readonly string[];
}

/** What is wrong with a page. */
interface Judgement {
  readonly violations: readonly PageViolation[];
  /** Violations that a person may accept. */
  readonly changedLooks: readonly PageViolation[];
  /** Why the version cannot be judged: the live page had the same violation at the same time. */
  readonly undecidedBecause?: string | undefined;
}

/** The result of the inspection by one visitor. */
export interface Inspection extends Judgement {
  /** If there were violations at the first attempt, and none at the second. */
  readonly secondAttempt?: SecondAttempt;
  /** The tab, unless the page has failed as a whole. The caller closes it. */
  readonly tab?: Tab | undefined;
  /** Pictures of a page without violations, beside those of the live one. */
  readonly pictures?: readonly PicturePair[];
}

/** Invariants that a sound page can break on a slow machine. */
const slowable = ['keys', 'traps', 'long tasks', 'hidden', 'growth', 'frames', 'first frames'] as const;

/** A page, and the visitor that inspects it. */
interface Visit {
  readonly browser: Browser;
  readonly checked: CheckedPage;
  readonly visitor: VisitorName;
  readonly pace: Pace;
}

interface LookOptions {
  /** Opens the live page in any case. */
  readonly isFresh: boolean;
}

/** A page, and the live page that was observed at the same time. */
interface Attempt {
  /** `undefined` if the page has failed, which closes it. */
  readonly tab: Tab | undefined;
  readonly seen: Observation | PageFailure;
  readonly liveObserved: ObservedPage | OutOfTime | undefined;
}

interface ObservedPage {
  readonly observation: Observation;
  readonly pictures: Pictures;
}

/**
 * Opens the page as a visitor, and compares it with the live page. A violation must occur twice, the second time beside a live page
 * that is opened at the same time. If that one is as slow, or breaks the same invariant, the result is undecided.
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
  const found = await judge(visit, first, []);
  // Only a page that is late may pass the next time, and only if the live page can tell that the machine is busy.
  const mayPass = first.tab !== undefined || (first.seen instanceof OutOfTime && !pace.hasNoLivePage);
  if (!mayPass) return found;
  const texts = [...found.violations, ...found.changedLooks].map(({ text }) => text);
  if (texts.length === 0 && found.undecidedBecause === undefined)
    return { ...found, tab: first.tab, pictures: await pairPictures(checked, first) };
  await first.tab?.[Symbol.asyncDispose]();

  const second = await observeBoth(visit, { isFresh: true });
  const { tab } = second;
  const decided = await judge(visit, second, first.tab ? observationsOf(first) : []);
  const { violations, changedLooks, undecidedBecause } = decided;
  if (undecidedBecause !== undefined)
    return { violations: [], changedLooks: [], undecidedBecause: describe(undecidedBecause), tab };
  if (violations.length > 0) return { ...decided, tab };
  const passed = { ...decided, tab, pictures: await pairPictures(checked, second) };
  if (changedLooks.length > 0 || texts.length === 0) return passed;
  return { ...passed, secondAttempt: { part: checked.part, why: describe(texts.join('; ')) } };
}

/** Observes the page and the live page at the same time. */
async function observeBoth(visit: Visit, options: LookOptions): Promise<Attempt> {
  const { browser, checked, visitor, pace } = visit;
  const tab = await openTab(browser, checked.site, visitor, pace);
  const observingLive = observeLive(visit, options);
  // It is awaited later.
  observingLive.catch(() => undefined);
  const observing = observePage(tab, ownParts(checked), Object.fromEntries(checked.remotes));
  const seen = await tab.guard(observing).catch(async (error: unknown) => {
    await tab[Symbol.asyncDispose]();
    if (error instanceof PageFailure) return error;
    throw error;
  });
  return { tab: seen instanceof PageFailure ? undefined : tab, seen, liveObserved: await observingLive };
}

/**
 * Judges one attempt.
 *
 * @param known the observation of the live page at the first attempt, if there is one
 */
async function judge(
  { checked, pace }: Visit,
  { tab, seen, liveObserved }: Attempt,
  known: readonly Observation[],
): Promise<Judgement> {
  // Beside a late live page, only a page that was fast itself tells that the machine is not the cause.
  const isLate = tab ? !pace.isInTime(tab) : seen instanceof OutOfTime;
  const late =
    liveObserved instanceof OutOfTime && isLate
      ? `the live page took more than ${liveObserved.seconds} s, too`
      : undefined;
  if (seen instanceof PageFailure)
    return { violations: [violationOf(seen.message)], changedLooks: [], undecidedBecause: late };
  const liveObservations = [...known, ...observationsOf({ liveObserved })];
  const broken = brokenInvariants(seen, liveObservations, ownParts(checked));
  const loaded = await weighLoaded(checked.store, checked.remotes, seen.loaded);
  const violations = [...loaded.map(violationOf), ...broken.violations];
  // Previous versions and canaries of remotes may look otherwise.
  const changedLooks = checked.pictured.length > 0 ? broken.changedLooks : [];
  // If only the second observation of the live page excuses a violation, the machine is slow.
  const slow = Object.fromEntries(slowable.map((name) => [name, seen[name] ?? []]));
  const [excused] =
    known.length > 0 && violations.length === 0
      ? brokenInvariants(slow, known, ownParts(checked)).violations
      : [];
  const alsoLive = excused && `the live page does so, too: it ${excused.text}`;
  return { violations, changedLooks, undecidedBecause: late ?? alsoLive };
}

/** Pictures of a page beside those of the live one, if both were seen. */
async function pairPictures(
  { pictured }: CheckedPage,
  { tab, liveObserved }: Attempt,
): Promise<readonly PicturePair[]> {
  if (!tab || !liveObserved || liveObserved instanceof OutOfTime) return [];
  const taken = await takePictures(tab, pictured);
  return Object.entries(taken).flatMap(([name, candidate]) => {
    const livePicture = liveObserved.pictures[name];
    return livePicture === undefined ? [] : [{ name, live: livePicture, candidate }];
  });
}

const observationsOf = ({ liveObserved }: Pick<Attempt, 'liveObserved'>): readonly Observation[] =>
  !liveObserved || liveObserved instanceof OutOfTime ? [] : [liveObserved.observation];

const ownParts = ({ part, remotes }: CheckedPage) => [...new Set([part, ...remotes.keys()])];

const storedObservation = z.object({
  /** Hash of the page, of the browser's version, and of the names of the invariants, which another check may have named otherwise. */
  page: z.string(),
  observation: z.record(z.string(), z.array(z.string())),
  pictures: z.record(z.string(), z.string()),
});

/**
 * Observes the live page as a visitor. The store keeps the observation until another page is live. `undefined` if the page is broken,
 * because it must not stop the version that mends it.
 */
async function observeLive(
  { browser, checked, visitor, pace }: Visit,
  { isFresh }: LookOptions,
): Promise<ObservedPage | OutOfTime | undefined> {
  const { store, liveSite: site, pictured } = checked;
  if (!site) return undefined;
  const name = [visitor, ...pictured].join('-');
  const { body = '' } = (await site.read('/')) ?? {};
  const page = hash('sha256', `${browser.version()} ${invariantNames.join()}${Buffer.from(body).toString()}`);
  const kept = isFresh ? undefined : await store.checkRecords.readObservation(name, storedObservation);
  if (kept?.page === page) return kept;
  try {
    await using tab = await openTab(browser, site, visitor, pace, { isLive: true });
    const observation = await tab.guard(observePage(tab, ownParts(checked)));
    const observed = { page, observation, pictures: await takePictures(tab, pictured) };
    // Pictures may have failed on a busy machine.
    const isComplete =
      visitors[visitor].inspects !== 'thoroughly' || Object.keys(observed.pictures).length > 0;
    if (isComplete) await store.checkRecords.writeObservation(name, observed);
    return observed;
  } catch (error) {
    if (error instanceof OutOfTime) return error;
    if (error instanceof PageFailure) return undefined;
    throw error;
  }
}
