import { checkRelease } from '../check/check-release.ts';
import type { ReleaseCandidate } from '../check/release-candidate.ts';
import { checkPages } from '../check/check-pages.ts';
import { applyChange } from '../deploy/change.ts';
import type { BuiltPart } from './built-part.ts';
import { compatibleRemote, compatibleShell } from './compatible-part.ts';
import { browserOfTests } from './config.ts';
import { createSiteOf, sampleSiteConfig, type TemporaryStore } from './temporary-store.ts';

/** The parts that are live while a version is checked, beside version 1.0.0 of mf-pricing. */
interface LiveParts {
  readonly shell?: BuiltPart | undefined;
  readonly others?: readonly BuiltPart[];
}

/** The check's observations, by key. Copied from store to store, so that tests with the same live page open it only once. */
const liveObservations = new Map<string, Uint8Array>();

/** All violations of a version that would be promoted. Those of `rendered-page` unless it skips the page. */
export async function violationsOf(
  version: BuiltPart,
  { skipsPage = false, ...liveParts }: LiveParts & { readonly skipsPage?: boolean } = {},
): Promise<string[]> {
  await using site = await createSite(liveParts);
  const { violations } = await checkRelease(await publishCandidate(site, version), {
    skipsPage,
    reuse: 'none',
  });
  return violations.map(({ rule, message }) => `${rule}: ${message}`);
}

/**
 * Violations of `rendered-page` by mf-pricing 1.1.0, also those that a person may accept.
 *
 * @param damage changes the store before the check
 */
export async function pageViolationsOf(
  version: BuiltPart,
  { damage, ...liveParts }: LiveParts & { damage?: (site: TemporaryStore) => Promise<unknown> } = {},
): Promise<readonly string[]> {
  await using site = await createSite(liveParts);
  const candidate = await publishCandidate(site, version);
  await damage?.(site);
  for (const [key, bytes] of liveObservations) await site.objects.overwrite(key, bytes);
  const remotes = [{ part: 'mf-pricing', version: '1.1.0' }] as const;
  const { violations, changedLooks } = await checkPages(candidate, remotes, { reuse: 'none' });
  for (const key of await site.objects.list('checks/live/')) {
    const stored = await site.objects.read(key);
    if (stored) liveObservations.set(key, stored.bytes);
  }
  return [...violations, ...changedLooks].map(({ text }) => text);
}

const createSite = ({ shell = compatibleShell('1.0.0'), others = [] }: LiveParts) =>
  createSiteOf(shell, compatibleRemote('mf-pricing', '1.0.0'), ...others);

/** Publishes a version. Returns the release that would make it live. */
export async function publishCandidate(site: TemporaryStore, version: BuiltPart): Promise<ReleaseCandidate> {
  const { store } = site;
  const published = await site.publish(version);
  const versions = Object.fromEntries(published.map(({ manifest }) => [manifest.name, manifest.version]));
  const { release: liveRelease } = await store.liveStore.require();
  const next = await applyChange(store, liveRelease, { kind: 'promote', versions });
  return { store, next, liveRelease, siteConfig: sampleSiteConfig, browserLocation: browserOfTests };
}
