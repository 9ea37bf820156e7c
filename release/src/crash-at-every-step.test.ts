import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { flipRelease } from './flip/flip-release.ts';
import { ReleaseStore } from './store/release-store.ts';
import { builtRemote, builtShell, writeBuiltPart } from './testing/built-part.ts';
import { commandStores } from './testing/command-stores.ts';
import { runUnchecked } from './testing/run-release.ts';
import { servedPage } from './testing/served-page.ts';
import { publishBuilt, sampleSite } from './testing/temporary-store.ts';
import { verifyStore } from './verify-store.ts';

const killer = pathToFileURL(join(import.meta.dirname, 'testing', 'kill-at-step.ts')).href;
const author = { who: 'a test' };
/** How many are run, and killed, at the same time. */
const lanes = 3;

for (const [kind, openStores] of Object.entries(commandStores)) {
  for (const action of ['publish', 'promote'] as const) {
    test(`${action} into a ${kind}, killed at any step, leaves the page from before or the new one, and the next release works`, async () => {
      await using stores = await openStores();
      const built = join(stores.directory, 'next');
      await writeBuiltPart(built, builtRemote('mf-pricing', '1.1.0'));

      /** Whether the command came to its end. */
      const crashAt = async (step: number): Promise<boolean> => {
        const { objects, environment } = await stores.open();
        const store = new ReleaseStore(objects);
        await publishBuilt(store, builtShell('1.0.0'), stores.directory);
        await publishBuilt(store, builtRemote('mf-pricing', '1.0.0'), stores.directory);
        if (action === 'promote') {
          await publishBuilt(store, builtRemote('mf-pricing', '1.1.0'), stores.directory);
        }
        const versions = { shell: '1.0.0', 'mf-pricing': '1.0.0' };
        const before = await flipRelease(store, { action: 'promote', versions }, sampleSite, author);

        const words = [action, 'mf-pricing', action === 'publish' ? built : '1.1.0'] as const;
        const { code, stderr } = await runUnchecked(words, environment, ['--import', `${killer}?${step}`]);
        assert(code === 0 || code === null, stderr);

        for (const name of ['index.html', '404.html']) {
          const { html, releaseId = '' } = await servedPage(objects, name);
          const release = (await store.readRelease(releaseId))?.release;
          const expected = action === 'publish' ? ['1.0.0'] : ['1.0.0', '1.1.0'];
          assert(expected.includes(release?.remotes['mf-pricing']?.live.version ?? ''), `step ${step}`);
          const stored = await objects.read(`pages/${releaseId}/${name}`);
          assert.equal(html, stored && new TextDecoder().decode(stored.bytes), `step ${step}`);
        }
        assert.deepEqual((await verifyStore(store, () => undefined)).faults, [], `step ${step}`);

        await publishBuilt(store, builtRemote('mf-pricing', '1.1.0'), stores.directory);
        const next = { action: 'promote', versions: { 'mf-pricing': '1.1.0' } } as const;
        const after = await flipRelease(store, next, sampleSite, author);
        assert.notEqual(after.releaseId, before.releaseId);
        assert.equal((await servedPage(objects, 'index.html')).releaseId, after.releaseId);
        assert.deepEqual((await verifyStore(store, () => undefined)).faults, [], `after step ${step}`);
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
