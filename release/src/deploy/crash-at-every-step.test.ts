import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { flipRelease } from './flip/flip-release.ts';
import { ReleaseStore } from './store/release-store.ts';
import { builtRemote, builtShell, writeBuiltPart } from './testing/built-part.ts';
import { commandStores, type CommandStore } from './testing/command-stores.ts';
import { killedAtStep, runUnchecked } from './testing/run-release.ts';
import { servedPage } from './testing/served-page.ts';
import { publishBuilt, sampleSite } from './testing/temporary-store.ts';
import { verifyStore } from './verify-store.ts';

const author = { who: 'a test' };
/** How many are run, and killed, at the same time, each in a store of its own. */
const lanes = 3;

for (const [kind, openStores] of Object.entries(commandStores)) {
  for (const action of ['publish', 'promote'] as const) {
    test(`${action} into a ${kind}, killed at any step, leaves the page from before or the new one, and the next release works`, async () => {
      await using stores = await openStores();

      /** Whether the process came to its end. */
      const crashAt = async (step: number, { objects, environment }: CommandStore): Promise<boolean> => {
        const store = new ReleaseStore(objects);
        const before = (await store.readLive())?.release.releaseId ?? '';
        const version = `1.${step}.0`;
        const part = builtRemote('mf-pricing', version);
        const built = join(stores.directory, version);
        await writeBuiltPart(built, part);
        if (action === 'promote') await publishBuilt(store, part, stores.directory);

        const words = [action, 'mf-pricing', action === 'publish' ? built : version] as const;
        const { code, stderr } = await runUnchecked(words, environment, killedAtStep(step));
        assert(code === 0 || code === null, stderr);

        for (const name of ['index.html', '404.html']) {
          const { html, releaseId = '' } = await servedPage(objects, name);
          const release = (await store.readRelease(releaseId))?.release;
          const isNew = release?.remotes['mf-pricing']?.live.version === version;
          assert(releaseId === before || (action === 'promote' && isNew), `step ${step}`);
          const stored = await objects.read(`pages/${releaseId}/${name}`);
          assert.equal(html, stored && new TextDecoder().decode(stored.bytes), `step ${step}`);
        }
        const live = (await store.readLive())?.release.releaseId;
        const served = (await servedPage(objects, 'index.html')).releaseId;
        const { faults } = await verifyStore(store, () => undefined);
        // Killed before all of the new pages are served: that is a fault until the next release.
        const behind = `Visitors get pages of release ${before}, but ${live} is live. If no release is being made at this moment, promote what is live once more.`;
        const expected = served !== live || faults.length > 0 ? [behind] : [];
        assert.deepEqual(faults, live === before ? [] : expected, `step ${step}`);

        await publishBuilt(store, part, stores.directory);
        const next = { action: 'promote', versions: { 'mf-pricing': version } } as const;
        const after = await flipRelease(store, next, () => sampleSite, author);
        assert.notEqual(after.releaseId, before);
        assert.equal((await servedPage(objects, 'index.html')).releaseId, after.releaseId);
        return code === 0;
      };

      let step = 0;
      let finished = false;
      const crashOn = async () => {
        const lane = await stores.open();
        const store = new ReleaseStore(lane.objects);
        await publishBuilt(store, builtShell('1.0.0'), stores.directory);
        await publishBuilt(store, builtRemote('mf-pricing', '1.0.0'), stores.directory);
        const versions = { shell: '1.0.0', 'mf-pricing': '1.0.0' };
        await flipRelease(store, { action: 'promote', versions }, () => sampleSite, author);
        while (!finished) {
          step += 1;
          if (await crashAt(step, lane)) finished = true;
        }
        assert.deepEqual((await verifyStore(store, () => undefined)).faults, []);
      };
      await Promise.all(Array.from({ length: lanes }, crashOn));
      assert(step > 10, `it was killed at ${step} steps only`);
    });
  }
}
