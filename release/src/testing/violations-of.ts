import { checkRelease } from '../check/check-release.ts';
import { renderedPage } from '../check/rendered-page.ts';
import type { ReleaseCandidate } from '../check/violation.ts';
import { applyChange } from '../deploy/change.ts';
import type { BuiltPart } from './built-part.ts';
import { compatibleRemote, compatibleShell } from './compatible-part.ts';
import { browserOfTests } from './config.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from './temporary-store.ts';

/** Makes version 1.0.0 of mf-pricing and the shell live, and publishes a candidate with version 1.1.0. */
async function prepare(
  site: TemporaryStore,
  candidate: BuiltPart,
  part: 'mf-pricing' | 'shell',
  shell = compatibleShell('1.0.0'),
  ...others: readonly BuiltPart[]
): Promise<ReleaseCandidate> {
  const published = await site.publish(shell, compatibleRemote('mf-pricing', '1.0.0'), ...others);
  await site.publish(candidate);
  const live = await site.deploy(
    Object.fromEntries(published.map(({ manifest: { name, version } }) => [name, version])),
  );
  const change = { kind: 'promote', versions: { [part]: '1.1.0' } } as const;
  const next = await applyChange(site.store, live, change);
  return { store: site.store, next, live, site: sampleSite, browser: browserOfTests };
}

/** Violations of version 1.1.0 of mf-pricing or the shell, while 1.0.0 of both is live. */
export async function violationsOf(
  candidate: BuiltPart,
  part: 'mf-pricing' | 'shell' = 'mf-pricing',
  shell?: BuiltPart,
  quick = false,
): Promise<string[]> {
  await using site = await createTemporaryStore();
  const { violations } = await checkRelease(await prepare(site, candidate, part, shell), { quick });
  return violations.map(({ rule, message }) => `${rule}: ${message}`);
}

/** Violations of the page with version 1.1.0 of mf-pricing, while 1.0.0 is live. `damage` happens after it went live. */
export async function pageViolationsOf(
  candidate: BuiltPart,
  damage: (site: TemporaryStore) => Promise<unknown> = () => Promise.resolve(),
  shell?: BuiltPart,
  ...others: readonly BuiltPart[]
): Promise<string[]> {
  await using site = await createTemporaryStore();
  const prepared = await prepare(site, candidate, 'mf-pricing', shell, ...others);
  await damage(site);
  return [...(await renderedPage(prepared, [{ part: 'mf-pricing', version: '1.1.0' }]))];
}
