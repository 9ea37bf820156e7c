import { checkRelease } from '../check/check-release.ts';
import { renderedPage } from '../check/rendered-page.ts';
import type { ReleaseCandidate } from '../check/release-candidate.ts';
import { applyChange } from '../deploy/change.ts';
import type { BuiltPart } from './built-part.ts';
import { compatibleRemote, compatibleShell } from './compatible-part.ts';
import { browserOfTests } from './config.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from './temporary-store.ts';

/** Makes version 1.0.0 of mf-pricing, a shell and others live, and publishes a candidate that is to replace one of them. */
async function prepare(
  site: TemporaryStore,
  candidate: BuiltPart,
  shell = compatibleShell('1.0.0'),
  ...others: readonly BuiltPart[]
): Promise<ReleaseCandidate> {
  const published = await site.publish(shell, compatibleRemote('mf-pricing', '1.0.0'), ...others, candidate);
  const versions = published.map(({ manifest: { name, version } }) => [name, version] as const);
  const live = await site.deploy(Object.fromEntries(versions.slice(0, -1)));
  const change = { kind: 'promote', versions: Object.fromEntries(versions.slice(-1)) } as const;
  const next = await applyChange(site.store, live, change);
  return { store: site.store, next, live, site: sampleSite, browser: browserOfTests };
}

/** Violations of a version, while version 1.0.0 of mf-pricing and a shell are live. */
export async function violationsOf(
  candidate: BuiltPart,
  quick = false,
  shell?: BuiltPart,
): Promise<string[]> {
  await using site = await createTemporaryStore();
  const { violations } = await checkRelease(await prepare(site, candidate, shell), { quick });
  return violations.map(({ rule, message }) => `${rule}: ${message}`);
}

/** Violations of `rendered-page` by mf-pricing 1.1.0, beside 1.0.0 and the live parts (a shell first), after `damage` to the store. */
export async function pageViolationsOf(
  candidate: BuiltPart,
  damage: (site: TemporaryStore) => Promise<unknown> = () => Promise.resolve(),
  ...liveParts: readonly BuiltPart[]
): Promise<readonly string[]> {
  await using site = await createTemporaryStore();
  const prepared = await prepare(site, candidate, ...liveParts);
  await damage(site);
  for (const [key, bytes] of liveObservations) await site.objects.overwrite(key, bytes);
  const remotes = [{ part: 'mf-pricing', version: '1.1.0' }] as const;
  const { violations, acceptable } = await renderedPage(prepared, remotes);
  for (const key of await site.objects.list('checks/live/')) {
    const stored = await site.objects.read(key);
    if (stored) liveObservations.set(key, stored.bytes);
  }
  return [...violations, ...acceptable];
}

/** The check's observations, by key. Copied from store to store, so that tests with the same live page open it only once. */
const liveObservations = new Map<string, Uint8Array>();
