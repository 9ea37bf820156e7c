import { setTimeout as delay } from 'node:timers/promises';
import type { ReleaseContent } from '../flip/change.ts';
import { composePages, pageFiles } from '../flip/compose-pages.ts';
import { unnamedRelease } from '../flip/name-release.ts';
import { readRemote } from '../flip/stored-version.ts';
import type { Candidate, Finding, Rule } from './finding.ts';
import { openPage, type OpenPage } from './open-page.ts';
import type { Pair } from './pairs.ts';

/** How long the page may take to show all of its parts, in milliseconds. */
const patience = 30_000;

/** Renders the page as it would be, in a headless DOM, and looks whether each remote shows itself in its shell. */
export const renderedPage: Rule = async (candidate, pairs) => {
  const findings: Finding[] = [];
  for (const pair of pairs) {
    findings.push(...(await render(candidate, await withoutRefuge(candidate, pair), pair)));
  }
  return findings;
};

/** The state with this version live, and nothing to fall back to. */
async function withoutRefuge({ store, next }: Candidate, { part, version }: Pair): Promise<ReleaseContent> {
  const live = await readRemote(store, part, version);
  return { ...next, remotes: { ...next.remotes, [part]: { live } } };
}

async function render({ store, site }: Candidate, content: ReleaseContent, pair: Pair): Promise<Finding[]> {
  const pages = await composePages(store, { ...content, releaseId: unnamedRelease }, site);
  const page = openPage(store, String(pages.get(pageFiles.landing)), site.siteOrigin);
  try {
    await untilShown(page);
    return faultOf(page, pair);
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

function faultOf({ document, errors }: OpenPage, { part, version }: Pair): Finding[] {
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
