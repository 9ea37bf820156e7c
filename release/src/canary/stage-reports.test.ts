import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VersionCounts } from '@countersign/contracts/page-report';
import { freeze } from '../deploy/freeze.ts';
import { builtRemote } from '../testing/built-part.ts';
import { createLiveSite, sampleSiteConfig } from '../testing/temporary-store.ts';
import { compareGroups, readStageEntries } from './stage-reports.ts';

test('stage: has all changes since the percentage of its canary was set, up to a lost one', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-header': '1.0.0', 'mf-pricing': '1.0.0' });
  await site.publish(builtRemote('mf-pricing', '1.1.0'), builtRemote('mf-header', '1.1.0'));
  for (const percent of [5, 25])
    await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent });
  await site.deploy({ 'mf-header': '1.1.0' });
  // Applies another setting only.
  await site.deploy({ 'mf-pricing': '1.0.0' }, { ...sampleSiteConfig, appHost: 'https://other.example' });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await freeze(site.store, 'mf-pricing', until, { who: 'page-team' });
  const stage = async () => {
    const changes = await readStageEntries(site.store, await site.store.liveStore.require(), 'mf-pricing');
    return changes.map(({ action, to }) => `${action}: ${to}`);
  };
  const others = [`freeze: ${until}`, 'promote: 1.0.0, 1.1.0 for 25 %', 'promote: 1.1.0'];
  assert.deepEqual(await stage(), [...others, 'canary: 1.0.0, 1.1.0 for 25 %']);
  await site.objects.remove(['history/00000003.json']);
  assert.deepEqual(await stage(), others);
});

test('groups: each has the views of its own version, and their failures of all causes', () => {
  const counts = (version: string, group: VersionCounts['group'], views: number): VersionCounts => ({
    releaseId: 'r-0123456789ab',
    part: 'mf-pricing',
    version,
    group,
    views,
    failed: { load: 1, render: 2 },
    slow: 4,
    leads: 5,
  });
  const reports = [
    counts('1.1.0', 'canary', 10),
    counts('1.1.0', 'canary', 20),
    counts('1.0.0', 'stable', 100),
    // Views of a fallback, and of a tab that asked for the canary.
    counts('1.0.0', 'canary', 1_000),
    counts('1.1.0', 'stable', 1_000),
  ];
  assert.deepEqual(compareGroups(reports, { canary: { version: '1.1.0' }, live: '1.0.0' }), {
    canary: { views: 30, failed: 6, slow: 8, leads: 10 },
    stable: { views: 100, failed: 3, slow: 4, leads: 5 },
  });
});
