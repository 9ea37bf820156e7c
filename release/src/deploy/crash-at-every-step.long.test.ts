import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtRemote } from '../testing/built-part.ts';
import { withoutBrowser } from '../testing/config.ts';
import { killedAtStep, runRelease } from '../testing/run-release.ts';
import { storeKinds, type TestStore } from '../testing/temporary-store.ts';

/** Number of concurrent processes, each with its own store. */
const lanes = 3;

/** All objects of a store in which version 1.0.0 of the shell and of mf-pricing is live, without `current`, which `linkCurrent` makes. */
async function prepareObjects(site: TestStore) {
  await site.release({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const keys = (await site.objects.list('')).filter((key) => !key.startsWith('current'));
  return Promise.all(
    keys.map(async (key) => [key, (await site.objects.read(key))?.bytes ?? assert.fail(key)] as const),
  );
}

for (const [kind, createStore] of Object.entries(storeKinds)) {
  // `rollback` to a version skips the check, which the parts of this test would not pass.
  for (const action of ['publish', 'rollback'] as const) {
    test(`${action} into a ${kind}, killed at any step, leaves the old page or the new one`, async () => {
      await using original = await createStore();
      const prepared = await prepareObjects(original);

      /** A new store for each step, because verifying a store takes time for each of its versions. */
      const copyStore = async (): Promise<TestStore> => {
        const site = await createStore();
        for (const [key, bytes] of prepared) await site.objects.create(key, bytes);
        const live = await site.store.readLive();
        await site.objects.linkCurrent?.(`pages/${live?.release.releaseId}/`);
        return site;
      };

      /** Whether the process completed. */
      const crashAt = async (step: number): Promise<boolean> => {
        await using site = await copyStore();
        const { objects, store } = site;
        // Its look at the page afterwards is not the subject.
        const environment = { ...site.environment, ...withoutBrowser };
        const before = (await store.readLive())?.release.releaseId ?? '';
        const version = `1.${step}.0`;
        const part = builtRemote('mf-pricing', version);
        const built = await site.build(part);
        if (action === 'rollback') await site.publish(part);

        const words = [action, 'mf-pricing', action === 'publish' ? built : version] as const;
        const { code, stderr } = await runRelease(words, environment, killedAtStep(step));
        assert(code === 0 || code === null, stderr);

        for (const name of ['index.html', '404.html']) {
          const { html, releaseId = '' } = await site.currentPage(name);
          const release = (await store.readRelease(releaseId))?.release;
          const isNew = release?.remotes['mf-pricing']?.live.version === version;
          assert(releaseId === before || (action === 'rollback' && isNew), `step ${step}`);
          const stored = await objects.read(`pages/${releaseId}/${name}`);
          assert.equal(html, stored && new TextDecoder().decode(stored.bytes), `step ${step}`);
        }
        const live = (await store.readLive())?.release.releaseId;
        const served = (await site.currentPage('index.html')).releaseId;
        const errors = await site.verify();
        // If it was killed before all new pages were served, `verify` reports that until the next release.
        const isBehind =
          live !== before && errors.every((error) => error.startsWith('Visitors get another '));
        assert(errors.length === 0 ? served === live : isBehind, `step ${step}: ${errors.join(' ')}`);

        const after = await site.release({ 'mf-pricing': version });
        assert.notEqual(after.releaseId, before);
        assert.equal((await site.currentPage('index.html')).releaseId, after.releaseId);
        assert.deepEqual(await site.verify(), []);
        return code === 0;
      };

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
    });
  }
}
