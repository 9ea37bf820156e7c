import { setTimeout as delay } from 'node:timers/promises';
import type { ReleaseContent, RemoteRelease } from '@countersign/contracts/release-document';
import { servableVersions } from '@countersign/contracts/release-versions';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import { composePages } from '../page/compose-pages.ts';
import { releaseIdPlaceholder } from '../page/name-release.ts';
import { printableLine } from '../store/printable.ts';
import { ReleaseError } from '../store/release-error.ts';
import { PageFailure } from './browser/isolated-world.ts';
import { openBrowser } from './browser/open-browser.ts';
import { siteOfPages, type OfflineSite } from './browser/offline-site.ts';
import { visitPage, type Visit } from './browser/visit-page.ts';
import { visitors, type VisitorName } from './browser/visitors.ts';
import type { VersionPair } from './compatibility-matrix.ts';
import { noComparison, type PageSubject, type Problem } from './page-rules/page-rule.ts';
import { pageRules } from './page-rules/page-rules.ts';
import { comparePicturesOf, type PicturedVersion } from './pictures/compare-pictures.ts';
import { pictureThemes, takePictures } from './pictures/take-pictures.ts';
import type { ReleaseCandidate, Rule, Violation } from './violation.ts';

/** Limit for all pages of a check, in milliseconds. */
const timeLimit = 120_000;

/** Limit for the pictures of one page, in milliseconds. */
const picturesLimit = 30_000;

/**
 * Opens the page with each version in a browser, as several visitors see it, and applies the {@link pageRules}. A problem that the
 * live page shows to the same visitor is not the version's fault. Stores pictures of both pages, which people compare.
 */
export const renderedPage: Rule = async (candidate, pairs) => {
  const browser = await openBrowser(candidate.browser);
  const late = delay(timeLimit, 'late' as const, { ref: false });
  try {
    const violations: Violation[] = [];
    for (const [index, versions] of pagesOf(pairs).entries()) {
      const checked = checkPage(browser, candidate, versions, index === 0);
      // After the limit, nothing awaits it.
      checked.catch(() => undefined);
      const found = await Promise.race([checked, late]);
      if (found === 'late') {
        const text = `does not let the page settle within ${timeLimit / 1000} s`;
        violations.push(...toViolations([{ text }], subjectOf(candidate, versions)));
        break;
      }
      violations.push(...found);
    }
    return violations;
  } finally {
    await browser.close();
  }
};

type Versions = ReadonlyMap<RemoteName, string>;

/**
 * Distributes pairs over pages, because a page shows one version of each remote. A new shell is checked with several: the live
 * ones are on the first page, previous ones and canaries on the next.
 */
function pagesOf(pairs: readonly VersionPair[]): readonly Versions[] {
  const pages: Map<RemoteName, string>[] = [];
  for (const { part, version } of pairs) {
    const page = pages.find((known) => !known.has(part));
    if (page) page.set(part, version);
    else pages.push(new Map([[part, version]]));
  }
  return pages;
}

function subjectOf({ store, next, live }: ReleaseCandidate, remotes: Versions): PageSubject {
  return {
    store,
    remotes,
    shell: live?.shell.version === next.shell.version ? undefined : next.shell.version,
  };
}

async function checkPage(
  browser: Browser,
  candidate: ReleaseCandidate,
  versions: Versions,
  isFirst: boolean,
): Promise<readonly Violation[]> {
  const { next, live } = candidate;
  const subject = subjectOf(candidate, versions);
  const [site, liveSite] = await Promise.all([
    siteOf(candidate, next, versions),
    live && siteOf(candidate, live, new Map()).catch(noComparison),
  ]);
  const visitorNames = Object.keys(visitors) as VisitorName[];
  const inspections = await Promise.all(
    visitorNames.map((visitor) => inspectPage(browser, { site, liveSite, visitor, subject })),
  );
  const problems = inspections.flatMap((inspection) => inspection.problems);
  // The live page shows no previous versions and canaries, so the next pages of a new shell cannot be compared with it.
  if (problems.length === 0 && live && (isFirst || subject.shell === undefined)) {
    // Pictures only inform people, so a version without them passes, too.
    const pictured = pictureVersions(candidate, subject, inspections).catch(() => undefined);
    await Promise.race([pictured, delay(picturesLimit, undefined, { ref: false })]);
  }
  return toViolations(mergeVisitors(problems), subject);
}

/** Stores the pictures in which a version differs from the live one: of a remote its own blocks, of a shell all blocks. */
async function pictureVersions(
  { store, live, next }: ReleaseCandidate,
  { remotes, shell }: PageSubject,
  inspections: readonly Inspection[],
): Promise<void> {
  const versions: readonly (PicturedVersion & { readonly blocks: readonly string[] })[] =
    shell === undefined
      ? [...remotes].flatMap(([part, version]) => {
          const before = live?.remotes[part]?.live.version;
          return before === undefined ? [] : [{ part, version, live: before, blocks: [part] }];
        })
      : [
          {
            part: 'shell',
            version: shell,
            live: live?.shell.version ?? '',
            blocks: Object.keys(next.remotes),
          },
        ];
  for (const { blocks, ...version } of versions) {
    const comparison = await comparePicturesOf(store, version);
    await Promise.all(
      inspections.map(async ({ visitor, live: before, visit: after }) => {
        if (!before || !after) return;
        for (const theme of pictureThemes) {
          const take = (page: Visit) => takePictures(page, visitor, theme, blocks);
          const [live, candidate] = await Promise.all([take(before), take(after)]);
          await comparison.add(live, candidate);
        }
      }),
    );
    await comparison.finish();
  }
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
  return siteOfPages(store, Object.keys(release.remotes), await composePages(store, release, site), site);
}

interface VisitorProblem extends Problem {
  /** The visitor who saw it. Missing if the rule looks at the page of one visitor only, whom messages need not name. */
  readonly visitor: VisitorName | undefined;
}

/** Merges the same problem, seen by several visitors, into one. Names the visitor if only one saw it. */
function mergeVisitors(problems: readonly VisitorProblem[]): readonly Problem[] {
  const byText = Map.groupBy(problems, ({ text }) => text);
  return [...byText.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { visitor } = first;
    const isOfOne = visitor !== undefined && others.length === 0;
    const suffix = isOfOne ? `, for a visitor with ${visitors[visitor].description}` : '';
    return [{ ...first, text: `${first.text}${suffix}` }];
  });
}

interface ComparedVisit {
  readonly site: OfflineSite;
  readonly liveSite: OfflineSite | undefined;
  readonly visitor: VisitorName;
  readonly subject: PageSubject;
}

/** What one visitor saw. Without problems, both pages stay open for pictures. */
interface Inspection {
  readonly visitor: VisitorName;
  readonly problems: readonly VisitorProblem[];
  /** Missing if there are problems. */
  readonly visit?: Visit;
  /** Missing if there are problems, or the live page was not opened or is broken. */
  readonly live?: Visit | undefined;
}

/** Opens the page as one visitor, and applies the rules until a group of them is broken. */
async function inspectPage(
  browser: Browser,
  { site, liveSite, visitor, subject }: ComparedVisit,
): Promise<Inspection> {
  let liveVisit: Promise<Visit | undefined> | undefined;
  const openLive = async () => {
    if (liveSite) liveVisit ??= visitPage(browser, liveSite, visitors[visitor]).catch(noComparison);
    return liveVisit;
  };
  try {
    // Their pictures and rules need the live page in any case.
    const isAlwaysCompared = visitor === 'desktop' || visitor === 'phone';
    const [visit] = await Promise.all([
      visitPage(browser, site, visitors[visitor]),
      isAlwaysCompared ? openLive() : undefined,
    ]);
    for (const group of pageRules) {
      const problems: VisitorProblem[] = [];
      for (const rule of group.filter(({ visitors: names }) => names.includes(visitor))) {
        const isForOne = rule.visitors.length === 1;
        const found = await rule.see(visit, subject, openLive);
        problems.push(...found.map((problem) => ({ ...problem, visitor: isForOne ? undefined : visitor })));
      }
      if (problems.length > 0) return { visitor, problems };
    }
    return { visitor, problems: [], visit, live: await liveVisit };
  } catch (error) {
    if (!browser.isConnected()) {
      throw new ReleaseError(
        'The browser of the check has ended. Try again, or set BROWSER_PATH to another one.',
        { cause: error },
      );
    }
    if (error instanceof PageFailure) return { visitor, problems: [{ text: error.message, visitor }] };
    throw error;
  }
}

/** Blames the remote that a rule names. Otherwise blames a new shell or, without one, the first of the checked remotes. */
function toViolations(problems: readonly Problem[], { remotes, shell }: PageSubject): readonly Violation[] {
  const [first] = remotes;
  return problems.map(({ remote, text }): Violation => {
    const named = [...remotes].find(([name]) => name === remote);
    const unnamed = shell === undefined ? first : undefined;
    const [part, version] = named ?? unnamed ?? (['shell', shell ?? ''] as const);
    return {
      rule: 'rendered-page',
      part,
      message: printableLine(`${part} ${version} ${text}. Put it right and publish it under a new version.`),
    };
  });
}
