import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { ReleaseContent } from '../flip/change.ts';
import { composePages, pageFiles } from '../flip/compose-pages.ts';
import type { NamedVersion } from '../flip/named-versions.ts';
import { readRemote } from '../flip/stored-version.ts';
import { changedVersions } from './changed-versions.ts';
import type { Candidate, Finding, Rule } from './finding.ts';
import { openPage, type OpenPage } from './open-page.ts';

/** How long the page may take to show all of its parts, in milliseconds. */
const patience = 30_000;

/** Renders the page as it would be, in a headless DOM, and looks whether each new version shows itself. */
export const renderedPage: Rule = async (candidate) => {
  const changed = changedVersions(candidate);
  const remotes = changed.filter(({ part }) => part !== 'shell');
  const findings: Finding[] = [];
  for (const remote of remotes) {
    const content = await withoutRefuge(candidate, remote);
    findings.push(...(await render(candidate, content, [remote])));
  }
  if (remotes.length === 0 && changed.length > 0) {
    const live = Object.entries(candidate.next.remotes).map(
      ([
        part,
        {
          live: { version },
        },
      ]) => ({
        part: part as RemoteName,
        version,
      }),
    );
    findings.push(...(await render(candidate, candidate.next, live)));
  }
  return findings;
};

/** The state with this version live, and nothing to fall back to. */
async function withoutRefuge(
  { store, next }: Candidate,
  { part, version }: NamedVersion,
): Promise<ReleaseContent> {
  const live = await readRemote(store, part as RemoteName, version);
  return { ...next, remotes: { ...next.remotes, [part]: { live } } };
}

async function render(
  { store, site }: Candidate,
  content: ReleaseContent,
  expected: readonly NamedVersion[],
): Promise<Finding[]> {
  const pages = await composePages(store, { ...content, releaseId: 'r-000000000000' }, site);
  const page = openPage(store, String(pages.get(pageFiles.landing)), site.siteOrigin);
  try {
    await untilShown(page);
    return expected.flatMap(({ part, version }) => faultOf(page, part, version));
  } finally {
    page.close();
  }
}

async function untilShown({ document }: OpenPage): Promise<void> {
  const end = performance.now() + patience;
  while (performance.now() < end) {
    const slots = [...document.querySelectorAll('[data-remote]')];
    if (slots.length > 0 && slots.every((slot) => slot.hasAttribute('data-version'))) return;
    await delay(20);
  }
}

function faultOf({ document, errors }: OpenPage, part: NamedVersion['part'], version: string): Finding[] {
  const slots = [...document.querySelectorAll(`[data-remote="${part}"]`)];
  const finding = (what: string): Finding[] => [
    {
      rule: 'rendered-page',
      part,
      sentence: `${part} ${version} ${what}${errors.length > 0 ? ` (${errors.slice(0, 3).join('; ')})` : ''}. Put it right and publish it under a new version.`,
    },
  ];
  if (slots.length === 0) return finding('is nowhere on the page that the live shell shows');
  if (slots.some((slot) => slot.getAttribute('data-version') !== version)) {
    return finding('does not render in the live shell: its place shows the fallback');
  }
  if (slots.some((slot) => (slot.textContent ?? '').trim() === '')) return finding('renders nothing');
  return [];
}
