import { checkRelease } from '../check/check-release.ts';
import { applyChange } from '../deploy/change.ts';
import type { BuiltPart } from './built-part.ts';
import { compatibleRemote, compatibleShell } from './compatible-part.ts';
import { browserOfTests } from './config.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from './temporary-store.ts';

/** Violations of version 1.1.0 of mf-pricing or the shell, while 1.0.0 of both is live. `damage` happens after it went live. */
export async function violationsOf(
  candidate: BuiltPart,
  part: 'mf-pricing' | 'shell' = 'mf-pricing',
  shell = compatibleShell('1.0.0'),
  quick = false,
  damage: (site: TemporaryStore) => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  await using site = await createTemporaryStore();
  await site.publish(shell, compatibleRemote('mf-pricing', '1.0.0'), candidate);
  const live = await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await damage(site);
  const change = { kind: 'promote', versions: { [part]: '1.1.0' } } as const;
  const next = await applyChange(site.store, live, change);
  const outcome = await checkRelease(
    { store: site.store, next, live, site: sampleSite, browser: browserOfTests },
    { quick },
  );
  return outcome.violations.map(({ rule, message }) => `${rule}: ${message}`);
}
