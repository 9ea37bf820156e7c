import { createHash } from 'node:crypto';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import type { ReleaseStore } from '../../store/release-store.ts';
import type { PicturePair } from '../../store/stored-pictures.ts';
import { initialChunks, readVersion } from '../../store/stored-version.ts';
import type { OfflineSite } from '../browser/offline-site.ts';
import { openPage, OutOfTime, PageFailure, type OpenPage } from '../browser/open-page.ts';
import type { Pace } from '../browser/pace.ts';
import { visitors, type VisitorName } from '../browser/visitors.ts';
import { sizesOf, totalOf } from '../size-budget.ts';
import { brokenInvariants, invariantNames, type Observation } from './invariants.ts';
import { observePage } from './observe-page.ts';
import { takePictures, type Pictures } from './take-pictures.ts';

/** A page with versions that are checked. */
export interface PageSubject {
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

/** The result of the inspection by one visitor. */
export interface Inspection {
  /** Predicates of the part. */
  readonly violations: readonly string[];
  /** Violations that a person may accept, as predicates of the part. */
  readonly acceptable?: readonly string[];
  /** The violations at the first attempt, if there were none at the second. */
  readonly firstFinding?: string | undefined;
  /** Why the version cannot be judged: the live page had the same violation at the same time. */
  readonly undecided?: string | undefined;
  /** The page, unless it has failed as a whole. The caller closes it. */
  readonly opened?: OpenPage;
  /** Pictures of a page without violations, beside those of the live one. */
  readonly pictures?: readonly PicturePair[];
}

/** Invariants that a sound page can break on a slow machine. */
const timed = ['keys', 'traps', 'long tasks', 'hidden', 'growth', 'frames', 'first frames'] as const;

/** Limit of the images and fonts that a part loads before it is used, in kilobytes. */
const maxMedia = 1_000;

/**
 * Opens the page as a visitor, and compares it with the live page. A violation must occur twice, the second time beside a live page
 * that is opened at the same time. If that one is as slow, or breaks the same invariant, the result is undecided.
 */
export async function inspectPage(
  browser: Browser,
  subject: PageSubject,
  visitor: VisitorName,
  pace: Pace,
): Promise<Inspection> {
  const parts = ownParts(subject);
  const known: Observation[] = [];
  let firstFinding: string | undefined;
  const describe = (text: string) => `${text} (for a visitor with ${visitors[visitor].description})`;
  for (let isSecond = false; ; isSecond = true) {
    const opened = await openPage(browser, subject.site, visitor, pace);
    const observingLive = observeLive(browser, subject, visitor, isSecond, pace);
    // It is awaited later.
    observingLive.catch(() => undefined);
    try {
      const versions = Object.fromEntries(subject.remotes);
      const options = { versions, accessible: accessibleElements(parts) };
      const seen = await opened.guard(observePage(opened, visitor, options));
      const found = await observingLive;
      const livePage = found instanceof OutOfTime ? undefined : found;
      const isLiveLate = found instanceof OutOfTime && !pace.isInTime(opened);
      if (livePage) known.push(livePage.observation);
      const broken = brokenInvariants(seen, known, parts);
      const violations = [...(await weigh(subject, seen)), ...broken.violations];
      // Previous versions and canaries of remotes may look otherwise.
      const acceptable = subject.pictured.length > 0 ? broken.acceptable : [];
      const all = [...violations, ...acceptable];
      if ((all.length > 0 || isLiveLate) && !isSecond) {
        if (all.length > 0) firstFinding = describe(all.join('; '));
        await opened[Symbol.asyncDispose]();
        continue;
      }
      if (isLiveLate) return { violations: [], undecided: describe(lateAsWell(found)), opened };
      if (all.length > 0) firstFinding = undefined;
      if (violations.length > 0) return { violations, acceptable, opened };
      // Compared with the live page as it was before, not as it is now.
      const slow = Object.fromEntries(timed.map((name) => [name, seen[name] ?? []]));
      const [excused] = isSecond ? brokenInvariants(slow, known.slice(0, 1), parts).violations : [];
      if (excused !== undefined)
        return { violations, undecided: describe(`the live page does so, too: it ${excused}`), opened };
      if (!livePage) return { violations, acceptable, firstFinding, opened };
      const taken = await takePictures(opened.page, visitor, subject.pictured);
      const pictures = Object.entries(taken).flatMap(([name, candidate]) => {
        const livePicture = livePage.pictures[name];
        return livePicture === undefined ? [] : [{ name, live: livePicture, candidate }];
      });
      return { violations, acceptable, firstFinding, opened, pictures };
    } catch (error) {
      await opened[Symbol.asyncDispose]();
      const found = await observingLive;
      if (!(error instanceof PageFailure)) throw error;
      if (isSecond && error instanceof OutOfTime && found instanceof OutOfTime)
        return { violations: [], undecided: describe(lateAsWell(found)) };
      if (isSecond || !(error instanceof OutOfTime) || pace.isAlone) return { violations: [error.message] };
      firstFinding = describe(error.message);
    }
  }
}

/** Why nothing is decided about a page that is late. */
const lateAsWell = ({ seconds }: OutOfTime) => `the live page took more than ${seconds} s, too`;

const ownParts = ({ part, remotes }: PageSubject) => [...new Set([part, ...remotes.keys()])];

const accessibleElements = (parts: readonly PartName[]) =>
  parts.includes('shell') ? 'html' : parts.map((part) => `[data-remote="${part}"]`).join();

const storedObservation = z.object({
  /** Hash of the page, of the browser's version, and of the names of the invariants, which another check may have named otherwise. */
  page: z.string(),
  observation: z.record(z.string(), z.array(z.string())),
  pictures: z.record(z.string(), z.string()),
});

/**
 * Observes the live page as a visitor. The store keeps the observation until another page is live. `undefined` if the page is broken,
 * because it must not stop the version that mends it.
 *
 * @param isFresh opens the page in any case
 */
async function observeLive(
  browser: Browser,
  subject: PageSubject,
  visitor: VisitorName,
  isFresh: boolean,
  pace: Pace,
): Promise<{ readonly observation: Observation; readonly pictures: Pictures } | OutOfTime | undefined> {
  const { store, liveSite: site, pictured } = subject;
  if (!site) return undefined;
  const name = [visitor, ...pictured].join('-');
  const { body = '' } = (await site.read('/')) ?? {};
  const page = createHash('sha256')
    .update(`${browser.version()} ${invariantNames.join()}`)
    .update(body)
    .digest('hex');
  const kept = isFresh ? undefined : await store.openedPages.readObservation(name, storedObservation);
  if (kept?.page === page) return kept;
  try {
    await using opened = await openPage(browser, site, visitor, pace, true);
    const accessible = accessibleElements(ownParts(subject));
    const observation = await opened.guard(observePage(opened, visitor, { accessible }));
    const observed = { page, observation, pictures: await takePictures(opened.page, visitor, pictured) };
    // Pictures may have failed on a busy machine.
    const isComplete =
      visitors[visitor].inspects !== 'thoroughly' || Object.keys(observed.pictures).length > 0;
    if (isComplete) await store.openedPages.writeObservation(name, observed);
    return observed;
  } catch (error) {
    if (error instanceof OutOfTime) return error;
    if (error instanceof PageFailure) return undefined;
    throw error;
  }
}

/** A visitor who does nothing loads no more script than the part's budget, also of chunks that the part calls lazy, and few images. */
async function weigh(
  { store, remotes }: PageSubject,
  { loaded: served = [] }: Observation,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [part, version] of remotes) {
    const { manifest } = await readVersion(store, part, version);
    const folder = `/${part}/${version}/`;
    const loaded = served.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
    // The page may bundle the entry with those of other parts.
    const initial = initialChunks(manifest).flatMap(({ scripts }) => scripts);
    const scripts = [...initial, ...loaded.filter((file) => file.endsWith('.js'))];
    const script = totalOf(await sizesOf(store, manifest, scripts, '.br'));
    const others = loaded.filter((file) => !/\.(js|css|html|json)$/.test(file));
    const media = totalOf(await sizesOf(store, manifest, others));
    const budget = manifest.budget?.script ?? Infinity;
    const before = 'before it is used, more than';
    if (script > budget)
      found.push(`loads ${script.toFixed(1)} kB of script ${before} its budget of ${budget} kB`);
    if (media > maxMedia)
      found.push(`loads ${media.toFixed(0)} kB of images and fonts ${before} ${maxMedia} kB`);
  }
  return found;
}
