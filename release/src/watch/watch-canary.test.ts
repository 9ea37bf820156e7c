import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseFault } from '../release-fault.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { startLittleService } from '../testing/little-service.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { watchCanary, type WatchOptions } from './watch-canary.ts';

/** A store with a canary of mf-pricing, for one visitor in ten. */
async function createSiteWithCanary(): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.change({ action: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 10 });
  return site;
}

/** Metrics that grow with each look: the canary fails in this share of its views. */
function growingMetrics(share: number): () => string {
  let looks = 0;
  return () => {
    const views = 20 * looks;
    looks += 1;
    return [
      `site_part_views_total{part="mf-pricing",version="1.1.0",group="canary"} ${views}`,
      `site_part_failures_total{part="mf-pricing",version="1.1.0",group="canary",cause="render"} ${views * share}`,
      `site_part_views_total{part="mf-pricing",version="1.0.0",group="stable"} ${views * 9}`,
    ].join('\n');
  };
}

async function watch(site: TemporaryStore, metrics: () => string, options: Partial<WatchOptions> = {}) {
  await using service = await startLittleService((_request, response) => response.end(metrics()));
  return await watchCanary(site.store, () => sampleSite, {
    part: 'mf-pricing',
    metrics: [`${service.origin}/metrics`],
    minimumViews: 50,
    promote: false,
    interval: 1,
    patience: 60_000,
    who: 'a test',
    stopping: new AbortController().signal,
    progress: () => undefined,
    ...options,
  });
}

test('a canary that fails more often than the stable version is rolled back, and the log says why', async () => {
  await using site = await createSiteWithCanary();
  const { outcome } = await watch(site, growingMetrics(0.5));
  assert.equal(outcome, 'rolled-back');
  const live = await site.store.readLive();
  assert.equal(live?.release.remotes['mf-pricing']?.canary, undefined);
  assert.equal(live?.release.remotes['mf-pricing']?.live.version, '1.0.0');
  assert.equal(live.entry.action, 'rollback');
  assert.equal(live.entry.why, '30 of 60 views failed, 0 of 540 of 1.0.0');
});

test('a canary that is no worse stays as it is, or is promoted where that was asked for', async () => {
  await using site = await createSiteWithCanary();
  assert.equal((await watch(site, growingMetrics(0))).outcome, 'fine');
  assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.canary?.percent, 10);
  assert.equal((await watch(site, growingMetrics(0), { promote: true })).outcome, 'promoted');
  const remote = (await site.store.readLive())?.release.remotes['mf-pricing'];
  assert.deepEqual(
    [remote?.live.version, remote?.previous?.version, remote?.canary],
    ['1.1.0', '1.0.0', undefined],
  );
});

test('a canary that somebody else ends is left alone', async () => {
  await using site = await createSiteWithCanary();
  await site.publish(builtRemote('mf-pricing', '1.2.0'));
  let replaced: Promise<unknown> | undefined;
  const { outcome } = await watch(site, () => '', {
    progress: () =>
      (replaced ??= site.change({ action: 'canary', part: 'mf-pricing', version: '1.2.0', percent: 5 })),
  });
  await replaced;
  assert.equal(outcome, 'ended');
  assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.canary?.percent, 5);
});

test('a canary that too few visitors see is not judged', async () => {
  await using site = await createSiteWithCanary();
  assert.equal((await watch(site, () => '', { patience: 5 })).outcome, 'undecided');
  assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.canary?.percent, 10);
});

test('without a canary, or without metrics, there is nothing to watch', async () => {
  await using site = await createSiteWithCanary();
  await assert.rejects(
    watch(site, () => '', { metrics: ['http://127.0.0.1:9/metrics'] }),
    (error) => error instanceof ReleaseFault && error.message.includes('does not answer'),
  );
  await site.change({ action: 'rollback', part: 'mf-pricing' });
  await assert.rejects(
    watch(site, () => ''),
    (error) => error instanceof ReleaseFault && error.message.startsWith('mf-pricing has no canary.'),
  );
});
