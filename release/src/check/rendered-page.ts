import { summarizeList } from '../platform/summarize-list.ts';
import type { ReleaseContent } from '@countersign/contracts/release-document';
import { availableParallelism } from 'node:os';
import type { PartName } from '@countersign/contracts/remotes';
import { composePages } from '../page/compose-pages.ts';
import { pageFiles } from '../page/reserved-names.ts';
import { releaseIdPlaceholder } from '../page/name-release.ts';
import { printableLine } from '../platform/printable.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { ReleaseCandidate, Violation, Rule } from './violation.ts';
import { servedVersion, type VersionPair } from './compatibility-matrix.ts';
import { renderPage, type RenderOutcome } from './render-page.ts';
import { refusals, type RefusalReason, type RenderJob, type RenderReport } from './render-report.ts';

/**
 * Renders each remote in its shell in a headless DOM, and checks that it fills its slots. Each pair gets its own page and
 * process, so that a part cannot influence the result of another part.
 */
export const renderedPage: Rule = async (candidate, pairs) => {
  const violations: Violation[][] = [];
  const queue = pairs.entries();
  const worker = async () => {
    for (const [index, pair] of queue) {
      violations[index] = violationsIn(await renderPage(await renderJobFor(candidate, pair)), pair);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return violations.flat();
};

/** A page with this remote only, and without a fallback. */
async function renderJobFor(
  { store, next, live: before, site }: ReleaseCandidate,
  { part, version }: VersionPair,
): Promise<RenderJob> {
  // Of the release that will be committed: the page refuses files that do not match its hashes.
  const live = servedVersion(next, part, version);
  const content: ReleaseContent = { ...next, remotes: live ? { [part]: { live } } : {} };
  const pages = await composePages(store, { ...content, releaseId: releaseIdPlaceholder }, site, {
    live: before,
  });
  const files = await Promise.all([
    readCode(store, 'shell', next.shell.version),
    readCode(store, part, version),
  ]);
  return {
    html: String(pages.get(pageFiles.landing)),
    remote: part,
    origin: site.siteOrigin,
    files: Object.fromEntries(files.flat()),
  };
}

/** Path on the site → content of every script and stylesheet of a version. */
async function readCode(store: ReleaseStore, part: PartName, version: string) {
  const files = Object.keys((await store.hashesOf(part, version)) ?? {});
  return Promise.all(
    files
      .filter((file) => /\.(js|css)$/.test(file))
      .map(async (file) => {
        const bytes = await store.readBytes(part, version, file);
        return [`/${part}/${version}/${file}`, Buffer.from(bytes).toString('base64')] as const;
      }),
  );
}

/** Violations in a report. Code that escapes from the page can forge the report of its own part only. */
function violationsIn(outcome: RenderOutcome, { part, version }: VersionPair): Violation[] {
  const violation = (problem: string): Violation => ({
    rule: 'rendered-page',
    part,
    message: printableLine(`${part} ${version} ${problem}`),
  });
  const broken = (problem: string, errors: readonly string[] = []) => {
    const thrown = errors.length > 0 ? ` (${errors.slice(0, 3).join('; ')})` : '';
    return [violation(`${problem}${thrown}. Put it right and publish it under a new version.`)];
  };
  if ('failure' in outcome) return broken(`${outcome.failure} when the page was rendered`);
  const { refused, errors } = outcome.report;
  if (refused.length > 0) {
    const reasons = [...new Set(refused.map(({ reason }) => reason))];
    return reasons.map((reason) => violation(refusalMessage(reason, refused)));
  }
  const slots = outcome.report.slots.filter(({ remote }) => remote === part);
  if (slots.length === 0) return broken('is nowhere on the page that the live shell shows', errors);
  if (slots.some((slot) => slot.version !== version)) {
    return broken('does not come to life in the live shell', errors);
  }
  if (slots.some(({ blank }) => blank)) return broken('renders nothing', errors);
  if (errors.some((error) => hydrationError.test(error))) {
    return broken('renders something else in the page than in its fragments', errors);
  }
  return [];
}

/** React's hydration errors, in production and development builds. */
const hydrationError = /Minified React error #(418|423|425)\b|Hydration failed/;

function refusalMessage(reason: RefusalReason, refused: RenderReport['refused']): string {
  const things = refused.filter((refusal) => refusal.reason === reason).map(({ what }) => what);
  const places = summarizeList([...new Set(things)]);
  return `asks for what browsers refuse under the page's policy: ${places} (${refusals[reason]}). Build it with the project's webpack configuration.`;
}
