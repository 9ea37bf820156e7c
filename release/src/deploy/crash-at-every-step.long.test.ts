import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote, builtShell, writeBuiltPart } from '../testing/built-part.ts';
import { commandStores, type CommandStore, type CommandStores } from '../testing/command-stores.ts';
import { killedAtStep, runUnchecked } from '../testing/run-release.ts';
import { servedPage } from '../testing/served-page.ts';
import { publishBuilt, sampleSite } from '../testing/temporary-store.ts';
import { deployRelease } from './deploy-release.ts';
import { verifyStore } from './verify-store.ts';

const author = { who: 'a test' };
/** Number of concurrent processes, each with its own store. */
const lanes = 3;

/** All objects of a store in which version 1.0.0 of the shell and of mf-pricing is live, except those at its root. */
async function prepareObjects(stores: CommandStores) {
  const { objects } = await stores.open();
  const store = new ReleaseStore(objects);
  await publishBuilt(store, builtShell('1.0.0'), stores.directory);
  await publishBuilt(store, builtRemote('mf-pricing', '1.0.0'), stores.directory);
  const versions = { shell: '1.0.0', 'mf-pricing': '1.0.0' };
  await deployRelease(store, { kind: 'promote', versions }, () => sampleSite, author);
  const keys = (await objects.list('')).filter((key) => !key.startsWith('current'));
  return Promise.all(
    keys.map(async (key) => [key, (await objects.read(key))?.bytes ?? assert.fail(key)] as const),
  );
}

for (const [kind, openStores] of Object.entries(commandStores)) {
  for (const action of ['publish', 'promote'] as const) {
    test(`${action} into a ${kind}, killed at any step, leaves the old page or the new one`, async () => {
      await using stores = await openStores();
      const prepared = await prepareObjects(stores);

      /** A new store for each step, because verifying a store takes time for each of its versions. */
      const open = async (): Promise<CommandStore> => {
        const opened = await stores.open();
        for (const [key, bytes] of prepared) await opened.objects.create(key, bytes);
        const live = await new ReleaseStore(opened.objects).readLive();
        await opened.objects.serveAtRoot(`pages/${live?.release.releaseId}/`, async () => true);
        return opened;
      };

      /** Whether the process completed. */
      const crashAt = async (step: number): Promise<boolean> => {
        const { objects, environment } = await open();
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
        const { errors } = await verifyStore(store, () => undefined);
        // If it was killed before all new pages were served, `verify` reports that until the next release.
        const behind = `Visitors get pages of release ${before}, but ${live} is live. If no release is running now, promote the live version again.`;
        const expected = served !== live || errors.length > 0 ? [behind] : [];
        assert.deepEqual(errors, live === before ? [] : expected, `step ${step}`);

        await publishBuilt(store, part, stores.directory);
        const next = { kind: 'promote', versions: { 'mf-pricing': version } } as const;
        const after = await deployRelease(store, next, () => sampleSite, author);
        assert.notEqual(after.releaseId, before);
        assert.equal((await servedPage(objects, 'index.html')).releaseId, after.releaseId);
        assert.deepEqual((await verifyStore(store, () => undefined)).errors, []);
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
