import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { test } from 'node:test';
import { builtRemote } from '../testing/built-part.ts';
import { withoutBrowser } from '../testing/config.ts';
import { killedAtStep, runRelease } from '../testing/run-release.ts';
import {
  createLiveSite,
  createTemporaryStore,
  storeKinds,
  type TestStore,
} from '../testing/temporary-store.ts';
import { minAge } from './prune-store.ts';

/** Number of concurrent processes, each with its own store. */
const lanes = 3;

const remotes = ['mf-pricing', 'mf-leads', 'mf-header'] as const;

/**
 * All objects of a store in which version 1.0.0 of the shell and remotes is live, without `current`, which `linkCurrent` makes. Version
 * 2.0.0 of mf-pricing was live before, beside less.
 */
async function prepareObjects(site: TestStore, changed: readonly (typeof remotes)[number][]) {
  await site.release({ shell: '1.0.0', 'mf-pricing': '2.0.0' });
  await site.release({ 'mf-pricing': '1.0.0', 'mf-content': '1.0.0' });
  const versions = changed.map((name) => [name, '1.0.0']);
  await site.release(Object.fromEntries(versions));
  const keys = (await site.objects.list('')).filter((key) => !key.startsWith('current'));
  return Promise.all(
    keys.map(async (key) => [key, (await site.objects.read(key))?.bytes ?? assert.fail(key)] as const),
  );
}

/** Crashes an action in several lanes, each time at a later step, until it completes. */
async function untilCompleted(crashAt: (step: number) => Promise<boolean>): Promise<void> {
  let step = 0;
  let finished = false;
  const crashOn = async () => {
    while (!finished) {
      step += 1;
      if (await crashAt(step)) finished = true;
    }
  };
  await Promise.all(Array.from({ length: lanes }, crashOn));
  assert(step > 10, `it was killed at ${step} steps only`);
}

for (const [kind, createStore] of Object.entries(storeKinds)) {
  // `rollback` skips the check, which the parts of this test would not pass.
  for (const [action, count] of [
    ['publish', 1],
    ['rollback', 1],
    ['rollback', 3],
  ] as const) {
    // A bucket gets the same writes, and each takes longer.
    if (count > 1 && kind === 'bucket') continue;
    const changed = remotes.slice(0, count);
    test(`${action} of ${count} in a ${kind}: a kill at each step leaves the old or new page`, async () => {
      await using original = await createStore();
      const prepared = await prepareObjects(original, changed);

      /** A new store for each step, because verifying a store takes time for each of its versions. */
      const copyStore = async (): Promise<TestStore> => {
        const site = await createStore();
        for (const [key, bytes] of prepared) await site.objects.create(key, bytes);
        const liveState = await site.store.liveStore.read();
        await site.objects.linkCurrent?.(`pages/${liveState?.release.releaseId}/`);
        return site;
      };

      /** Whether the process completed. */
      const crashAt = async (step: number): Promise<boolean> => {
        await using site = await copyStore();
        const { objects, store } = site;
        // Its inspection of the page afterwards is not the subject.
        const environment = { ...site.environment, ...withoutBrowser };
        const isOne = changed.length === 1;
        const version = action === 'rollback' && isOne ? '2.0.0' : `1.${step}.0`;
        const built = await site.build(builtRemote('mf-pricing', version));
        if (!isOne) await site.release(Object.fromEntries(changed.map((name) => [name, version])));
        const before = (await store.liveStore.read())?.release.releaseId ?? '';
        const next = isOne ? version : '1.0.0';

        // Several go back to the versions before.
        const target = action === 'publish' ? [built] : isOne ? [version] : [];
        const words = [action, 'mf-pricing', ...target];
        const { code, stderr } = await runRelease(words, environment, killedAtStep(step));
        assert(code === 0 || code === null, stderr);

        for (const name of ['index.html', '404.html']) {
          const { html, releaseId = '' } = await site.currentPage(name);
          const release = await store.readRelease(releaseId);
          const isNew = changed.every((name) => release?.remotes[name]?.live.version === next);
          assert(releaseId === before || (action === 'rollback' && isNew), `step ${step}`);
          const stored = await objects.read(`pages/${releaseId}/${name}`);
          assert.equal(html, stored && new TextDecoder().decode(stored.bytes), `step ${step}`);
        }
        const liveId = (await store.liveStore.read())?.release.releaseId;
        const served = (await site.currentPage('index.html')).releaseId;
        const errors = await site.verify();
        // If it was killed before all new pages were served, `verify` reports that until the next release.
        const isBehind =
          liveId !== before && errors.every((error) => error.startsWith('Visitors get another '));
        assert(errors.length === 0 ? served === liveId : isBehind, `step ${step}: ${errors.join(' ')}`);

        const after = await site.release({ 'mf-pricing': isOne ? version : '9.0.0' });
        assert.notEqual(after.releaseId, before);
        assert.equal((await site.currentPage('index.html')).releaseId, after.releaseId);
        assert.deepEqual(await site.verify(), []);
        return code === 0;
      };

      await untilCompleted(crashAt);
    });
  }
}

const old = new Date(Date.now() - 1.5 * minAge).toISOString();

/** A store with a version and a release that are old enough for `prune`, and two versions and a release that are not. */
async function createOldSite() {
  const site = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
    { 'mf-pricing': '1.2.0' },
  );
  const { release } = await site.store.liveStore.require();
  const releaseId = 'r-000000000000';
  await site.store.addRelease({ ...release, releaseId }, new Map([['index.html', 'An old page.']]));
  await site.publish(builtRemote('mf-leads', '1.0.0'));
  for (const key of [`releases/${releaseId}.json`, 'versions/mf-leads/1.0.0.json']) {
    const record = new TextDecoder().decode((await site.objects.read(key))?.bytes);
    const aged = record.replace(/(?<=[aA]t": ")[^"]+/, old);
    await site.objects.overwrite(key, new TextEncoder().encode(aged));
  }
  return site;
}

/** The keys of all that a removal may leave behind. */
const removableKeys = async ({ objects }: TestStore) =>
  (await objects.list('')).filter((key) => /^(?:parts|pages|versions|releases)\//.test(key));

for (const [words, removed] of [
  [['remove', 'mf-pricing', '1.0.0'], /mf-pricing.1\.0\.0/],
  [['prune'], /r-000000000000|mf-leads/],
] as const) {
  test(`${words[0]}: killed at any step, its repetition completes it`, async () => {
    await using original = await createOldSite();
    const copySite = async () => {
      const site = await createTemporaryStore();
      await cp(original.directory, site.directory, { recursive: true, verbatimSymlinks: true });
      return site;
    };
    await using uninterrupted = await copySite();
    const { code, stderr } = await runRelease(words, uninterrupted.environment);
    assert.equal(code, 0, stderr);
    const expected = await removableKeys(uninterrupted);
    assert.doesNotMatch(expected.join('\n'), removed);

    await untilCompleted(async (step) => {
      await using site = await copySite();
      const crashed = await runRelease(words, site.environment, killedAtStep(step));
      assert(crashed.code === 0 || crashed.code === null, crashed.stderr);
      const repeated = await runRelease(words, site.environment);
      assert(repeated.code === 0 || repeated.stderr.includes('nothing to remove'), repeated.stderr);
      assert.deepEqual(await removableKeys(site), expected, `step ${step}`);
      assert.deepEqual(await site.verify(), [], `step ${step}`);
      return crashed.code === 0;
    });
  });
}
