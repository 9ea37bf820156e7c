import { availableParallelism } from 'node:os';
import type { PartName } from '@countersign/contracts/remotes';
import type { ReleaseContent } from '../flip/change.ts';
import { composePages, pageFiles } from '../flip/compose-pages.ts';
import { unnamedRelease } from '../flip/name-release.ts';
import { readRemote } from '../flip/stored-version.ts';
import { printableLine } from '../printable.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { namePlaces, type Candidate, type Finding, type Rule } from './finding.ts';
import type { Pair } from './pairs.ts';
import { renderPage, type RenderOutcome } from './render-page.ts';
import { refusals, type RefusalReason, type RenderJob, type RenderReport } from './render-report.ts';

/**
 * Renders each remote in its shell, in a headless DOM, and looks whether it shows itself. Each pair has a page and a process
 * of its own, so that no part can spoil or prettify what is said of another.
 */
export const renderedPage: Rule = async (candidate, pairs) => {
  const findings: Finding[][] = [];
  const waiting = pairs.entries();
  const renderNext = async () => {
    for (const [index, pair] of waiting) {
      findings[index] = faultsOf(await renderPage(await jobFor(candidate, pair)), pair);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, renderNext));
  return findings.flat();
};

/** The page with this remote alone, and with nothing to fall back to. */
async function jobFor({ store, next, site }: Candidate, { part, version }: Pair): Promise<RenderJob> {
  const live = await readRemote(store, part, version);
  const content: ReleaseContent = { ...next, remotes: { [part]: { live } } };
  const pages = await composePages(store, { ...content, releaseId: unnamedRelease }, site);
  const files = await Promise.all([codeOf(store, 'shell', next.shell.version), codeOf(store, part, version)]);
  return {
    html: String(pages.get(pageFiles.landing)),
    remote: part,
    origin: site.siteOrigin,
    files: Object.fromEntries(files.flat()),
  };
}

/** Path on the site → content of every script and stylesheet of a version. */
async function codeOf(store: ReleaseStore, part: PartName, version: string) {
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

/** Judges by what the sandbox says. Code that breaks out of the page can lie here, about its own part alone. */
function faultsOf(outcome: RenderOutcome, { part, version }: Pair): Finding[] {
  const finding = (fault: string): Finding => ({
    rule: 'rendered-page',
    part,
    sentence: printableLine(`${part} ${version} ${fault}`),
  });
  const broken = (fault: string, errors: readonly string[] = []) => {
    const thrown = errors.length > 0 ? ` (${errors.slice(0, 3).join('; ')})` : '';
    return [finding(`${fault}${thrown}. Put it right and publish it under a new version.`)];
  };
  if ('failure' in outcome) return broken(`${outcome.failure} when the page was rendered`);
  const { refused, errors } = outcome.report;
  if (refused.length > 0) {
    const reasons = [...new Set(refused.map(({ reason }) => reason))];
    return reasons.map((reason) => finding(refusalSentence(reason, refused)));
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

/** What React says, in a build for production and in one for development, when markup and code do not fit. */
const hydrationError = /Minified React error #(418|423|425)\b|Hydration failed/;

function refusalSentence(reason: RefusalReason, refused: RenderReport['refused']): string {
  const things = refused.filter((refusal) => refusal.reason === reason).map(({ what }) => what);
  const places = namePlaces([...new Set(things)]);
  return `asks for what browsers refuse under the page's policy: ${places} (${refusals[reason]}). Build it with the project's webpack configuration.`;
}
