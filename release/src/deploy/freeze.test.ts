import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtRemote } from '../testing/built-part.ts';
import { interleave } from '../testing/interleaved-store.ts';
import { failsWith, runRelease } from '../testing/run-release.ts';
import { createLiveSite, withObjects, type TemporaryStore } from '../testing/temporary-store.ts';
import type { Change } from './change.ts';
import { freeze } from './freeze.ts';

const part = 'mf-pricing';
const attribution = { who: 'page-team', why: 'the launch' };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** A page with 1.0.0 and 1.1.0, and a canary of 1.2.0. */
async function createSite(): Promise<TemporaryStore> {
  const site = await createLiveSite({ shell: '1.0.0', [part]: '1.0.0' }, { [part]: '1.1.0' });
  await site.publish(builtRemote(part, '1.2.0'), builtRemote('mf-leads', '1.0.0'));
  await site.change({ kind: 'canary', versions: { [part]: '1.2.0' }, percent: 10 });
  return site;
}

const promotion: Change = { kind: 'promote', versions: { [part]: '1.2.0' } };
const versionOf = async ({ store }: TemporaryStore) =>
  (await store.liveStore.read())?.release.remotes[part]?.live.version;

for (const frozen of [part, undefined] as const) {
  test(`freeze of ${frozen ?? 'the page'}: promotion and canary are refused until it is ended`, async () => {
    await using site = await createSite();
    await freeze(site.store, frozen, inAnHour(), attribution);
    const changes: Change[] = [promotion, { kind: 'canary', versions: { [part]: '1.2.0' }, percent: 50 }];
    const refusal = / is frozen until .*, by page-team \(the launch\)\. Nothing was changed\./;
    for (const change of changes) await assert.rejects(site.change(change), refusal);
    assert.equal(await versionOf(site), '1.1.0');
    if (frozen) await site.deploy({ 'mf-leads': '1.0.0' });
    await freeze(site.store, frozen, undefined, attribution);
    await site.change(promotion);
    assert.equal(await versionOf(site), '1.2.0');
    await assert.rejects(freeze(site.store, frozen, undefined, attribution), /is not frozen/);
  });
}

test('freeze: going back is allowed, --in-freeze is recorded, and an expired freeze has no effect', async () => {
  await using site = await createSite();
  await freeze(site.store, part, inAnHour(), attribution);
  // The first ends the canary.
  await site.change({ kind: 'rollback', versions: { [part]: undefined } });
  await site.change({ kind: 'rollback', versions: { [part]: undefined } });
  assert.equal(await versionOf(site), '1.0.0');
  await site.change({ ...promotion, inFreeze: true });
  const { forced = [] } = (await site.store.liveStore.require()).historyEntry;
  assert.match(forced.join(), /^mf-pricing is frozen until/);
  await freeze(site.store, part, new Date(Date.now() - 1).toISOString(), attribution);
  await site.deploy({ [part]: '1.1.0' });
});

for (const [nthAccess, name] of [
  [1, 'read'],
  [2, 'replacement'],
] as const) {
  test(`freeze: it wins immediately before the ${name} of the live state by another change`, async () => {
    await using site = await createSite();
    const freezing = () => freeze(site.store, part, inAnHour(), attribution);
    const behind = interleave(site.objects, nthAccess, freezing, ({ key }) => key === 'live.json');
    await assert.rejects(withObjects(site, behind.objects).change(promotion), /is frozen until/);
    assert.equal(await versionOf(site), '1.1.0');
  });
}

test('freeze: commands set and end it, status shows it', async () => {
  await using site = await createSite();
  const run = (...words: string[]) => runRelease(words, site.environment);
  const until = inAnHour();
  const frozen = await run('freeze', part, '--until', until, '--why', 'the launch');
  assert.deepEqual([frozen.code, frozen.stdout], [0, `mf-pricing is frozen until ${until}\n`]);
  assert.match((await run('status')).stdout, /^mf-pricing is frozen until .* \(the launch\)\.$/m);
  // eslint-disable-next-line no-restricted-syntax -- It overrides the check, and no freeze.
  const forced = await run('promote', part, '1.2.0', '--force', '--why', 'the page is down');
  assert.match(forced.stderr, /is frozen until .* --in-freeze of the shell's owners ignores it/);
  assert.match((await run('history')).stdout, /freeze +mf-pricing/);
  assert.equal((await run('unfreeze', part)).stdout, 'mf-pricing is no longer frozen\n');
  assert.deepEqual(await run('unfreeze'), failsWith('The page is not frozen. Nothing was changed.'));
  // Without time of day and zone, it is a usage error.
  for (const wrong of ['2026-01-01', '2999-11-31T08:00Z', '2999-02-29T08:00:00+01:00', '2999-01-01T25:00Z'])
    assert.equal((await run('freeze', '--until', wrong, '--why', 'x')).code, 2, wrong);
});
