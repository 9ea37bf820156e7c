import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import type { ReleaseStore } from '../../store/release-store.ts';
import { initialChunks, readVersion } from '../../store/stored-version.ts';
import type { OfflineSite } from '../browser/offline-site.ts';
import { openPage, PageFailure, type OpenPage } from '../browser/open-page.ts';
import { observeAccessibility } from './accessibility.ts';
import { brokenInvariants, type Observation } from './invariants.ts';
import { observePage, observeReflow } from './observe-page.ts';
import { observers, type ObserverName } from './observers.ts';
import { readPage, useSlots } from './read-page.ts';

/** The versions in a page that are checked. */
export interface PageSubject {
  readonly store: ReleaseStore;
  readonly remotes: ReadonlyMap<RemoteName, string>;
  /** Version of the shell if it is not the live one. The whole page is then its own. */
  readonly shell: string | undefined;
}

/** What one visitor saw. Without problems, pages of which pictures are taken stay open. */
export interface Inspection {
  readonly observer: ObserverName;
  /** Predicates of the part. */
  readonly problems: readonly string[];
  readonly candidate?: OpenPage;
  readonly live?: OpenPage | undefined;
}

interface Inspected {
  readonly site: OfflineSite;
  readonly liveSite: OfflineSite | undefined;
  readonly observer: ObserverName;
  readonly subject: PageSubject;
}

/** How long a patient visitor waits before the first look, because parts may show something late. In milliseconds. */
const patience = 3_500;
/** How long blocks may take to run once they are used: after an error, and without one. In milliseconds. */
const runLimitAfterError = 1_500;
const runLimit = 5_000;
/** Limit of the images and fonts that a part loads before it is used, in kilobytes. */
const maxMedia = 1_000;

/** React's hydration errors, in production and development builds. */
const mismatch = /failed to hydrate|Minified React error #(418|423|425)\b|Hydration failed/;

/** Opens the page as a visitor, and compares it with the live page. What breaks an invariant must do so in two pages. */
export async function inspectPage(browser: Browser, inspected: Inspected): Promise<Inspection> {
  const { observer } = inspected;
  const { remotes, shell } = inspected.subject;
  const parts = shell === undefined ? [...remotes.keys()] : ['shell', ...remotes.keys()];
  const close = ({ candidate, live }: Awaited<ReturnType<typeof openBoth>>) =>
    Promise.all([candidate[Symbol.asyncDispose](), live?.[Symbol.asyncDispose]()]);
  const known: Observation[] = [];
  for (let looks = 1; ; looks += 1) {
    const opened = await openBoth(browser, inspected);
    const { seen, before, candidate, live } = opened;
    if (before) known.push(before);
    const problems = seen instanceof PageFailure ? [seen.message] : brokenInvariants(seen, known, parts);
    if (problems.length === 0 && 'isThorough' in observers[observer])
      return { observer, problems, candidate, live };
    await close(opened);
    if (problems.length === 0 || looks === 2 || seen instanceof PageFailure) return { observer, problems };
  }
}

/** Opens the page of the candidate, and the live one. */
async function openBoth(browser: Browser, { site, liveSite, observer, subject }: Inspected) {
  const [candidate, live] = await Promise.all([
    openPage(browser, site, observers[observer]),
    liveSite && openPage(browser, liveSite, observers[observer]),
  ]);
  const failed = (error: unknown) => {
    if (error instanceof PageFailure) return error;
    throw error;
  };
  const [seen, before] = await Promise.all([
    candidate.guard(look(candidate, observer, subject, subject.remotes)).catch(failed),
    live?.guard(look(live, observer, subject, new Map())).catch(failed),
  ]);
  // A live page that is broken must not stop the version that mends it, which is then compared with nothing.
  return { candidate, live, seen, before: before instanceof PageFailure ? undefined : before };
}

/** @param versions the versions that must run */
async function look(
  opened: OpenPage,
  observer: ObserverName,
  { store, remotes, shell }: PageSubject,
  versions: ReadonlyMap<RemoteName, string>,
): Promise<Observation> {
  const { page } = opened;
  const { settings, ...traits } = observers[observer];
  await opened.open();
  if ('javaScriptEnabled' in settings) return { hidden: (await page.evaluate(readPage)).hidden };
  if ('isPatient' in traits) await delay(patience);
  const tooHeavy = await Promise.all(
    Array.from(versions, ([part, version]) => weigh(store, part, version, [...opened.served])),
  );
  const seen = await observePage(opened, 'usesPage' in traits);
  const notRunning = await runBlocks(opened, Object.fromEntries(versions));
  const { hidden } = await page.evaluate(readPage);
  const isThorough = 'isThorough' in traits;
  const found = isThorough
    ? await observeAccessibility(
        page,
        shell === undefined ? [...remotes.keys()] : undefined,
        observer === 'phone',
      )
    : {};
  const reflow = observer === 'phone' ? await observeReflow(opened) : {};
  const errors = opened.problems.map(nameMismatch);
  const because = errors.length > 0 ? ` (${errors.slice(0, 3).join('; ')})` : '';
  const problems = [
    ...tooHeavy.flat(),
    ...(notRunning.length > 0 ? [`does not come to life in the live shell${because}`] : errors),
  ];
  return { ...seen, ...found, ...reflow, hidden, problems };
}

const nameMismatch = (problem: string) =>
  mismatch.test(problem) ? `renders something else in the page than in its fragments (${problem})` : problem;

/** Uses all blocks until those of some versions run. Returns those that do not. */
async function runBlocks({ page, problems }: OpenPage, versions: Readonly<Record<string, string>>) {
  const start = performance.now();
  for (;;) {
    const waiting = await page.evaluate(useSlots, versions);
    const limit = problems.length > 0 ? runLimitAfterError : runLimit;
    if (waiting.length === 0 || performance.now() - start > limit) return waiting;
    await delay(50);
  }
}

/** A visitor who does nothing loads no more script than the part's budget, also of chunks that the part calls lazy, and few images. */
async function weigh(store: ReleaseStore, part: RemoteName, version: string, served: readonly string[]) {
  const { manifest } = await readVersion(store, part, version);
  const folder = `/${part}/${version}/`;
  const loaded = served.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
  const sizeOf = async (files: Iterable<string>, suffix = '') => {
    const contents = await Promise.all(
      Array.from(new Set(files), (file) => store.readBytes(part, version, `${file}${suffix}`)),
    );
    return contents.reduce((sum, { length }) => sum + length / 1000, 0);
  };
  const isScript = (file: string) => file.endsWith('.js');
  // The page may bundle the entry with those of other parts.
  const initial = initialChunks(manifest).flatMap(({ scripts }) => scripts);
  const script = await sizeOf([...initial, ...loaded.filter(isScript)], '.br');
  const media = await sizeOf(loaded.filter((file) => !/\.(js|css|html|json)$/.test(file)));
  const budget = manifest.budget?.script ?? Infinity;
  return [
    ...(script > budget
      ? [`loads ${script.toFixed(1)} kB of script before it is used, more than its budget of ${budget} kB`]
      : []),
    ...(media > maxMedia
      ? [`loads ${media.toFixed(0)} kB of images and fonts before it is used, more than ${maxMedia} kB`]
      : []),
  ];
}
