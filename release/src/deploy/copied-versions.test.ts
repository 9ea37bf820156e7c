import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtRemote } from '../testing/built-part.ts';
import { runRelease } from '../testing/run-release.ts';
import { createLiveSite, createTemporaryBucket, type TestStore } from '../testing/temporary-store.ts';

const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
/** The objects that the documented `aws s3 sync` copies. */
const prefixes = [...readme.matchAll(/--include '(\w+\/)\*'/g)].map(([, prefix = '']) => prefix);

/** Copies the versions of a store as the commands of the README do: what the other store has already stays. */
async function copyVersions(from: TestStore, to: TestStore): Promise<void> {
  for (const prefix of prefixes)
    for (const key of await from.objects.list(prefix))
      await to.objects.create(key, (await from.objects.read(key))?.bytes ?? assert.fail(key));
}

const versions = { 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' };

test('copied versions: from folder to bucket, they go live and back as one change', async () => {
  const live = { shell: '1.0.0', 'mf-leads': '1.0.0', 'mf-pricing': '1.0.0' };
  await using staging = await createLiveSite(live);
  await using production = await createTemporaryBucket();
  await copyVersions(staging, production);
  await production.deploy(live);
  const tested = await staging.release(versions);
  await copyVersions(staging, production);
  assert.deepEqual(await production.deploy(versions), tested);
  assert.deepEqual(await production.verify(), []);

  await production.publish(builtRemote('mf-leads', '3.0.0'), builtRemote('mf-pricing', '3.0.0'));
  const next = { 'mf-leads': '3.0.0', 'mf-pricing': '3.0.0' };
  const released = await production.deploy(next);
  await copyVersions(production, staging);
  assert.deepEqual(await staging.deploy(next), released);
  assert.deepEqual(await staging.verify(), []);
});

for (const file of ['exposed.js', 'exposed.js.br', 'exposed.js.gz', 'part.json'])
  test(`copied versions: with one byte of ${file} changed on the way, they are refused`, async () => {
    await using site = await createLiveSite({ shell: '1.0.0', 'mf-leads': '1.0.0', 'mf-pricing': '1.0.0' });
    await site.publish(builtRemote('mf-leads', '2.0.0'), builtRemote('mf-pricing', '2.0.0'));
    const before = await site.store.liveStore.require();
    const key = `parts/mf-leads/2.0.0/${file}`;
    const bytes = Buffer.from((await site.objects.read(key))?.bytes ?? []);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await site.objects.overwrite(key, bytes);
    const words = ['mf-leads', '2.0.0', 'mf-pricing', '2.0.0'];
    for (const command of ['check', 'promote']) {
      const { code, stderr } = await runRelease([command, ...words], site.environment);
      assert.equal(code, 1);
      assert(stderr.startsWith(`mf-leads 2.0.0 has another ${file} than was published.`), stderr);
    }
    assert.equal((await site.store.liveStore.require()).tag, before.tag);
  });
