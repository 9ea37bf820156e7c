import { hash } from 'node:crypto';
import { stateOf } from '@countersign/contracts/release-versions';
import { invariantNames } from './invariants/invariants.ts';
import type { PlannedPage } from './planned-pages.ts';
import { settingsText, type ReleaseCandidate } from './release-candidate.ts';

/**
 * The names under which the store remembers that a page is sound: of its versions with their files, the parts that were checked, the
 * settings, and the names of the invariants; and a longer one, also of the live versions and the slots whose looks were compared.
 */
export function nameSet(
  { liveRelease, siteConfig }: Pick<ReleaseCandidate, 'liveRelease' | 'siteConfig'>,
  { shown: { shell, remotes }, ...page }: Pick<PlannedPage, 'shown' | 'part' | 'remotes' | 'pictured'>,
): { readonly anyComparison: string; readonly compared: string } {
  const hashOf = (value: unknown) => hash('sha256', JSON.stringify(value));
  const parts = [page.part, ...page.remotes.keys()];
  const anyComparison = `${hashOf([shell, remotes, parts, invariantNames, settingsText(siteConfig)])}-`;
  const liveVersions = parts.map((part) => liveRelease && stateOf(part, liveRelease)?.live);
  return { anyComparison, compared: `${anyComparison}${hashOf([liveVersions, page.pictured])}` };
}
