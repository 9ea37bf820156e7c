import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VersionCounts } from '@countersign/contracts/page-report';
import { freeze } from '../deploy/freeze.ts';
import { builtRemote } from '../testing/built-part.ts';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createLiveSite, createSiteOf, sampleSiteConfig } from '../testing/temporary-store.ts';
import { startStubService } from '../testing/stub-service.ts';
import { falseAlarmRate } from './assess-canary.ts';
import { assessParts } from './assess-parts.ts';
import { compareGroups, readStageEntries } from './stage-reports.ts';
import { canaryIn } from './watched-canary.ts';

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
  const others = [`freeze: ${until}`, 'promote: mf-pricing 1.0.0, 1.1.0 for 25 %', 'promote: 1.1.0'];
  assert.deepEqual(await stage(), [...others, 'canary: 1.0.0, 1.1.0 for 25 %']);
  const setting = (await site.history())[4] ?? assert.fail();
  assert.deepEqual(setting.parts, []);
  // As earlier versions of the program have recorded it.
  const [from, to] = ['1.0.0, 1.1.0 for 25 %', '1.0.0, 1.1.0 for 25 %'];
  const old = JSON.stringify({ ...setting, parts: ['mf-pricing'], from, to });
  await site.objects.overwrite('history/00000005.json', Buffer.from(old));
  others[1] = `promote: ${to}`;
  assert.deepEqual(await stage(), [...others, 'canary: 1.0.0, 1.1.0 for 25 %']);
  await site.objects.remove(['history/00000003.json']);
  assert.deepEqual(await stage(), others);
});

test('stage: views from before a part joined the canary do not count for it', async () => {
  const [other, part] = ['mf-pricing', 'mf-leads'] as const;
  const remotes = (version: string) => [other, part].map((name) => compatibleRemote(name, version));
  await using site = await createSiteOf(compatibleShell('1.0.0'), ...remotes('1.0.0'));
  await site.publish(...remotes('1.1.0'));
  for (const versions of [{ [other]: '1.1.0' }, { [other]: '1.1.0', [part]: '1.1.0' }])
    await site.change({ kind: 'canary', versions, percent: 10 });
  const { release } = await site.store.liveStore.require();
  const counts = { part, version: '1.0.0', group: 'stable', failed: {}, slow: 0, leads: 0 } as const;
  const ids = (await site.history()).map(({ releaseId }) => releaseId).slice(-2);
  const versions = ids.map((releaseId, index) => ({ ...counts, releaseId, views: index === 0 ? 1_000 : 90 }));
  await using service = await startStubService((_request, response) =>
    response.end(JSON.stringify({ versions })),
  );
  const lines: string[] = [];
  await assessParts(
    site.store,
    { reports: { url: service.origin, token: '' }, without: [], progress: (line) => lines.push(line) },
    canaryIn(release, part),
    { percent: 10, minimumViews: 0, level: falseAlarmRate, effects: [] },
    () => undefined,
  );
  assert.match(lines.join(), /mf-leads: 0 of 0 views failed, 0 of 90 of the stable version/);
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
