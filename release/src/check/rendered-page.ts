import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReleaseContent, RemoteRelease } from '@countersign/contracts/release-document';
import { servableVersions } from '@countersign/contracts/release-versions';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import { composePages } from '../page/compose-pages.ts';
import { releaseIdPlaceholder } from '../page/name-release.ts';
import { printableLine } from '../store/printable.ts';
import { ReleaseError } from '../store/release-error.ts';
import { picturesPrefix, type ReleaseStore } from '../store/release-store.ts';
import { readVersion } from '../store/stored-version.ts';
import { openBrowser } from './browser/open-browser.ts';
import { siteOfPages, type OfflineSite } from './browser/offline-site.ts';
import { visitors, type VisitorName } from './browser/visitors.ts';
import { inspectPage, type PageSubject } from './invariants/inspect-page.ts';
import {
  followPlans,
  mergeResults,
  planJourneys,
  type BrokenJourney,
  type PartJourneys,
} from './journeys/run-journeys.ts';
import { storePictures, type PicturedVersion } from './pictures/compare-pictures.ts';
import type { ReleaseCandidate, RemoteVersionName, Rule, Violation } from './violation.ts';

/** Limit for all pages of a check, in milliseconds. */
const timeLimit = 120_000;

/**
 * Opens the page with each version in a browser. Several visitors look at it, and compare it with the live page, while others
 * follow the journeys of all parts. Stores pictures of both pages, which people compare.
 */
export const renderedPage: Rule = async (candidate, remotes) => {
  const browser = await openBrowser(candidate.browser);
  const late = delay(timeLimit, 'late' as const, { ref: false });
  try {
    const violations: Violation[] = [];
    for (const [index, versions] of pagesOf(remotes).entries()) {
      const checked = checkPage(browser, candidate, versions, index === 0);
      // After the limit, nothing awaits it.
      checked.catch(() => undefined);
      const found = await Promise.race([checked, late]);
      if (found === 'late') {
        const text = `does not let the page settle within ${timeLimit / 1000} s`;
        violations.push(violationOf(subjectOf(candidate, versions), text));
        break;
      }
      violations.push(...found);
    }
    return violations;
  } catch (error) {
    if (browser.isConnected()) throw error;
    throw new ReleaseError(
      'The browser of the check has ended. Try again, or set BROWSER_PATH to another one.',
      { cause: error },
    );
  } finally {
    await browser.close();
  }
};

type Versions = ReadonlyMap<RemoteName, string>;

/**
 * Distributes versions over pages, because a page shows one of each remote. A new shell is checked with several: the live ones
 * are on the first page, previous ones and canaries on the next.
 */
function pagesOf(remotes: readonly RemoteVersionName[]): readonly Versions[] {
  const pages: Map<RemoteName, string>[] = [];
  for (const { part, version } of remotes) {
    const page = pages.find((known) => !known.has(part));
    if (page) page.set(part, version);
    else pages.push(new Map([[part, version]]));
  }
  return pages;
}

function subjectOf({ store, next, live }: ReleaseCandidate, remotes: Versions): PageSubject {
  const shell = live?.shell.version === next.shell.version ? undefined : next.shell.version;
  return { store, remotes, shell };
}

async function checkPage(
  browser: Browser,
  candidate: ReleaseCandidate,
  versions: Versions,
  isFirst: boolean,
): Promise<readonly Violation[]> {
  const { next, live, store } = candidate;
  const subject = subjectOf(candidate, versions);
  const [site, liveSite, journeys] = await Promise.all([
    siteOf(candidate, next, versions),
    live && siteOf(candidate, live, new Map()).catch(noComparison),
    journeysOf(candidate, subject),
  ]);
  const plans = planJourneys(journeys);
  const pictured = Object.keys(subject.shell === undefined ? Object.fromEntries(versions) : next.remotes);
  const visit = async (visitor: VisitorName) => {
    const { looks } = visitors[visitor];
    const inspection = looks
      ? await inspectPage(browser, { site, liveSite, visitor, subject, pictured })
      : { problems: [] };
    const { opened } = inspection;
    // Journeys on a page that fails as a whole say nothing more.
    const results =
      opened || !looks ? await followPlans({ browser, site, liveSite, visitor, plans, opened }) : undefined;
    return { visitor, ...inspection, results };
  };
  const names = Object.keys(visitors) as VisitorName[];
  const [others, ...visits] = await Promise.all([
    // Most journeys need a wide window.
    followPlans({ browser, site, liveSite, visitor: 'wide', plans }),
    ...names.map(visit),
  ]);
  const problems = mergeProblems(visits);
  const { followed, broken } = mergeResults([others, ...visits.flatMap(({ results }) => results ?? [])]);
  const part = blamed(subject);
  const before = part[0] === 'shell' ? live?.shell.version : live?.remotes[part[0]]?.live.version;
  const version = { part: part[0], version: part[1], live: before ?? '' };
  const changed = before === undefined ? undefined : await changedJourneys(store, version);
  const pictures = visits.flatMap((each) => each.pictures ?? []);
  // The live page shows no previous versions and canaries, so the next pages of a new shell cannot be compared with it.
  if (problems.length === 0 && pictures.length > 0 && (isFirst || subject.shell === undefined)) {
    const pictured = { ...version, ...(changed && { journeys: changed }) };
    await storePictures(store, browser, pictured, pictures).catch(() => undefined);
  }
  const isMute =
    changed && !journeys.some((each) => each.part === part[0] && Object.keys(each.journeys).length > 0);
  // A page that fails as a whole has no picture. A journey that is broken for several visitors is one violation.
  const worthNaming = broken.filter(({ picture }) => problems.length === 0 || picture !== undefined);
  const byName = Map.groupBy(worthNaming, ({ part: owner, name }) => `${owner} ${name}`);
  const brokenOnce = [...byName.values()].flatMap(([first]) => first ?? []);
  return [
    ...problems.map((text) => violationOf(subject, text)),
    ...(isMute ? [violationOf(subject, 'drops all of its journeys: it must promise something')] : []),
    ...(followed === 0 && problems.length === 0
      ? [violationOf(subject, 'was not used: 0 journeys were followed')]
      : []),
    ...(await Promise.all(brokenOnce.map((journey) => reportJourney(candidate, subject, part, journey)))),
  ];
}

/** The journeys of the parts that are released, and of all others that are live. */
function journeysOf(
  { store, next }: ReleaseCandidate,
  { remotes, shell }: PageSubject,
): Promise<PartJourneys[]> {
  const versions = [
    { part: 'shell' as PartName, version: next.shell.version, isThorough: shell !== undefined },
    ...Object.entries(next.remotes).map(([name, { live }]) => {
      const part = name as RemoteName;
      return {
        part,
        version: remotes.get(part) ?? live.version,
        isThorough: shell === undefined && remotes.has(part),
      };
    }),
  ];
  return Promise.all(
    versions.map(async ({ part, version, isThorough }) => {
      const { manifest } = await readVersion(store, part, version);
      return { part, journeys: manifest.journeys ?? {}, isThorough };
    }),
  );
}

/** Stores the picture of a broken journey, and names the part whose journey it is and the part that broke it. */
async function reportJourney(
  { store }: ReleaseCandidate,
  subject: PageSubject,
  [part, version]: readonly [PartName, string],
  { part: owner, name, why, where, picture }: BrokenJourney,
): Promise<Violation> {
  const file = `${picturesPrefix(part, version)}${name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}-journey.png`;
  if (picture) await store.objects.overwrite(file, picture);
  const whose = owner === part ? 'its own journey' : `the journey of ${owner}`;
  const seen = picture ? ` Picture: ${file}.` : '';
  return violationOf(subject, `breaks ${whose} "${name}" (${where}), ${why}.${seen}`.replace(/\.$/, ''));
}

/** `undefined` if the version has the journeys of the live one. */
async function changedJourneys(
  store: ReleaseStore,
  { part, version, live }: PicturedVersion,
): Promise<PicturedVersion['journeys']> {
  const [before, after] = await Promise.all(
    [live, version].map(async (each) => (await readVersion(store, part, each)).manifest.journeys ?? {}),
  );
  const names = Object.keys(before ?? {});
  const dropped = names.filter((name) => !after?.[name]);
  const changed = names.filter((name) => after?.[name] && !isDeepStrictEqual(before?.[name], after[name]));
  return dropped.length + changed.length > 0 ? { dropped, changed } : undefined;
}

/** The page of a release with some of its versions live, and without canaries and fallbacks. */
async function siteOf(
  { store, site }: ReleaseCandidate,
  content: ReleaseContent,
  versions: Versions,
): Promise<OfflineSite> {
  const remotes = Object.entries(content.remotes).map(([name, remote]) => {
    const wanted = versions.get(name as RemoteName);
    // From the release itself, because the page refuses files that do not match the hashes there.
    const checked = servableVersions(remote).find(({ version }) => version === wanted);
    return [name, { live: checked ?? remote.live } satisfies RemoteRelease] as const;
  });
  const release = { ...content, remotes: Object.fromEntries(remotes), releaseId: releaseIdPlaceholder };
  return siteOfPages(store, await composePages(store, release, site), site);
}

/** A live page that is broken must not stop the version that mends it, which is then compared with nothing. */
function noComparison(error: unknown): undefined {
  if (!(error instanceof ReleaseError)) throw error;
}

/** Merges what several visitors saw. Names the visitor if only one saw it. */
function mergeProblems(visits: readonly { visitor: VisitorName; problems: readonly string[] }[]): string[] {
  const all = visits.flatMap(({ visitor, problems }) => problems.map((text) => ({ visitor, text })));
  const byText = Map.groupBy(all, ({ text }) => text);
  return [...byText].map(([text, [first, ...others]]) =>
    first && others.length === 0
      ? `${text}, for a visitor with ${visitors[first.visitor].description}`
      : text,
  );
}

/** The part that messages name: a new shell or, without one, the first of the checked remotes. */
function blamed({ remotes, shell }: PageSubject): readonly [PartName, string] {
  const [first] = remotes;
  return shell === undefined && first ? first : ['shell', shell ?? ''];
}

function violationOf(subject: PageSubject, text: string): Violation {
  const [part, version] = blamed(subject);
  return {
    rule: 'rendered-page',
    part,
    message: printableLine(`${part} ${version} ${text}. Put it right and publish it under a new version.`),
  };
}
