import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtShell } from '../testing/built-part.ts';
import { killedAtStep, runRelease } from '../testing/run-release.ts';
import { createLiveSite, createTemporaryBucket, createTemporaryStore } from '../testing/temporary-store.ts';
import { copyObjects, copyStore } from './copy-store.ts';

const noProgress = () => undefined;

test('copy: a folder goes into a bucket, and from there into another folder', async () => {
  await using folder = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
  );
  await using bucket = await createTemporaryBucket();
  await using other = await createTemporaryStore();
  await copyStore(folder.store, bucket.store, noProgress);
  await copyStore(bucket.store, other.store, noProgress);
  const live = await folder.store.readLive();
  for (const { store, verify } of [bucket, other]) {
    assert.deepEqual(await verify(), []);
    assert.deepEqual((await store.readLive())?.release, live?.release);
  }
  // The copy is a store like any other.
  await other.change({ kind: 'rollback', part: 'mf-pricing' });
  assert.deepEqual(await other.verify(), []);
});

test('copy: repeated, it brings the releases since then only', async () => {
  await using folder = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await using bucket = await createTemporaryBucket();
  // A copy of it would soon be too old, because only that of the source is renewed.
  await folder.objects.overwrite('heads/00000001.jws', new Uint8Array([1]));
  const first = await copyStore(folder.store, bucket.store, noProgress);
  assert.equal(await copyStore(folder.store, bucket.store, noProgress), 0);
  await folder.release({ 'mf-pricing': '1.1.0' });
  const second = await copyStore(folder.store, bucket.store, noProgress);
  assert(second > 0 && second < first, `${second} of ${first} objects`);
  assert.deepEqual(await bucket.verify(), []);
  assert.deepEqual(await bucket.objects.list('heads/'), []);
});

test('copy: a target with releases of its own is refused, and stays', async () => {
  await using folder = await createLiveSite({ shell: '1.0.0' });
  await using other = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const before = await other.objects.list('');
  await assert.rejects(
    copyStore(folder.store, other.store, noProgress),
    /has releases that \S+ does not have/,
  );
  assert.deepEqual(await other.objects.list(''), before);
});

test('copy: a target with another build of a version is refused, though nothing is live there', async () => {
  await using folder = await createLiveSite({ shell: '1.0.0' });
  await using other = await createTemporaryStore();
  await other.publish(builtShell('1.0.0', { 'public/robots.txt': 'User-agent: *' }));
  await assert.rejects(copyStore(folder.store, other.store, noProgress), /has releases that/);
});

test('copy: versions that were withdrawn since the first copy go', async () => {
  await using folder = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
  );
  await using target = await createTemporaryStore();
  const words = ['copy', '--to', target.directory];
  assert.equal((await runRelease(words, folder.environment)).code, 0);
  await folder.change({ kind: 'withdraw', part: 'mf-pricing', version: '1.0.0' });
  assert.equal((await runRelease(words, folder.environment)).code, 0);
  assert.deepEqual(await target.objects.list('parts/mf-pricing/1.0.0/'), []);
});

for (const step of [1, 40]) {
  test(`copy: killed at step ${step}, it goes on where it was`, async () => {
    await using folder = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
    await using target = await createTemporaryStore();
    const words = ['copy', '--to', target.directory];
    const killed = await runRelease(words, folder.environment, killedAtStep(step));
    assert.equal(killed.code, null);
    assert.equal(await target.store.readLive(), undefined);
    const { code, stdout } = await runRelease(words, folder.environment);
    assert.equal(code, 0);
    assert.match(stdout, /has all releases: \d+ objects copied, \d+ files as published\n$/);
  });
}

test('copy: a bucket without a name is a usage error', async () => {
  await using folder = await createLiveSite({ shell: '1.0.0' });
  const { code, stderr } = await runRelease(['copy', '--to', 's3://'], folder.environment);
  assert.equal(code, 2);
  assert.equal(stderr, '--to s3:// is no bucket. Give one such as s3://releases or s3://releases/site.\n');
});

for (const key of ['parts/../../outside.js', '/etc/outside.js', 'parts//outside.js']) {
  test(`copy: the object "${key}" of a bucket, which is no path, is refused`, async () => {
    await using folder = await createTemporaryStore();
    await using other = await createTemporaryStore();
    await assert.rejects(
      copyObjects(folder.objects, other.objects, [key]),
      /which is no path\. Remove it\.$/,
    );
    assert.deepEqual(await other.objects.list(''), []);
  });
}
