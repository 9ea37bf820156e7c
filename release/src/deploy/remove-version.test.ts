import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { intercept, interleave, type StoreCall } from '../testing/interleaved-store.ts';
import { createLiveSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { removeFromStore, removeVersion } from './remove-version.ts';

const attribution = { who: 'pricing-team', why: 'leaks entries' };
/** Version 1.0.0 of mf-pricing was live before the two that the page names now. */
const createSite = () =>
  createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
    { 'mf-pricing': '1.2.0' },
  );
const removed = { part: 'mf-pricing', version: '1.0.0' } as const;

test('remove: the files of a version go, and every stored page that names it', async () => {
  await using site = await createSite();
  await removeVersion(site.store, removed, attribution);
  assert.deepEqual(await site.objects.list('parts/mf-pricing/1.0.0/'), []);
  assert.equal(await site.store.hashesOf('mf-pricing', '1.0.0'), undefined);
  const liveState = await site.store.liveStore.read();
  assert.deepEqual(await site.store.releaseIds(), [liveState?.release.releaseId]);
  const { action, parts, from, who, why } = liveState?.historyEntry ?? assert.fail();
  assert.deepEqual(
    [action, parts, from, who, why],
    ['remove', ['mf-pricing'], '1.0.0', ...Object.values(attribution)],
  );
  assert.deepEqual(await site.verify(), []);
  await assert.rejects(site.deploy({ 'mf-pricing': '1.0.0' }), /1\.0\.0 is not published/);
  await assert.rejects(
    removeVersion(site.store, removed, attribution),
    /is not published, so there is nothing/,
  );
});

test('remove: after a failure behind the commit, a repetition completes it', async () => {
  await using site = await createSite();
  const failing = intercept(site.objects, async ({ method, key }, forward) => {
    if (method === 'remove' && key.startsWith('parts/')) throw new Error('the disk is gone');
    return forward();
  });
  await assert.rejects(removeVersion(new ReleaseStore(failing), removed, attribution), {
    exitCode: 3,
    message:
      'The removal is committed as entry 4 of the history, but not complete: the disk is gone. Repeat the command.',
  });
  await removeVersion(site.store, removed, attribution);
  assert.deepEqual(await site.objects.list('parts/mf-pricing/1.0.0/'), []);
});

for (const [when, isFailure] of [
  ['before the commit', ({ method }) => method === 'replace'],
  ['of a record', ({ method, key }) => method === 'overwrite' && key.startsWith('versions/')],
] satisfies readonly (readonly [string, (call: StoreCall) => boolean])[]) {
  test(`remove: after a failure ${when}, all records are as before`, async () => {
    await using site = await createSite();
    const failing = intercept(site.objects, async (call, forward) => {
      if (isFailure(call)) throw new Error('the disk is gone');
      return forward();
    });
    const records = async () => {
      const keys = [...(await site.objects.list('versions/')), ...(await site.objects.list('releases/'))];
      return Promise.all(keys.map(async (key) => [key, String((await site.objects.read(key))?.bytes)]));
    };
    const before = await records();
    const [{ releaseId } = assert.fail()] = await site.history();
    const removal = { versions: [removed], releases: [releaseId] };
    const change = { ...attribution, parts: [], from: '1.0.0' };
    await assert.rejects(removeFromStore(new ReleaseStore(failing), removal, change), /the disk is gone/);
    assert.deepEqual(await records(), before);
  });
}

test('remove: a record that cannot be restored hides neither the error nor other records', async () => {
  await using site = await createSite();
  const [{ releaseId } = assert.fail()] = await site.history();
  const overwritten: string[] = [];
  const failing = intercept(site.objects, async ({ method, key }, forward) => {
    if (method === 'replace') throw new Error('the disk is gone');
    if (method === 'overwrite' && key.startsWith('versions/') && overwritten.includes(key))
      throw new Error('the record is gone');
    if (method === 'overwrite') overwritten.push(key);
    return forward();
  });
  const removal = { versions: [removed], releases: [releaseId] };
  await assert.rejects(
    removeFromStore(new ReleaseStore(failing), removal, { ...attribution, parts: [] }),
    /^ReleaseError: the disk is gone\. .*the record is gone\. /,
  );
  assert(await site.store.readRelease(releaseId));
});

/** A store that acts before the removal removes the first file below a folder, as after its commit. */
const beforeFiles = (site: TemporaryStore, folder: string, meanwhile: () => Promise<unknown>) =>
  interleave(
    site.objects,
    1,
    async () => void (await meanwhile()),
    ({ method, key }) => method === 'list' && key === folder,
  );

test('remove: a version cannot be published until its removal is complete', async () => {
  await using site = await createSite();
  const publish = () => {
    site.store.forgetHashes();
    return site.publish(builtRemote('mf-pricing', '1.0.0'));
  };
  const { objects, reached } = beforeFiles(site, 'parts/mf-pricing/1.0.0/', async () => {
    await assert.rejects(publish(), /^ReleaseError: mf-pricing 1\.0\.0 is being removed\. /);
    await assert.rejects(site.deploy({ 'mf-pricing': '1.0.0' }), /1\.0\.0 is not published/);
  });
  await removeVersion(new ReleaseStore(objects), removed, attribution);
  assert(reached());
  assert.deepEqual(await site.verify(), []);
  await publish();
  await site.deploy({ 'mf-pricing': '1.0.0' });
  assert.deepEqual(await site.verify(), []);
});

test('remove: fails if a refused removal of the same has restored it meanwhile', async () => {
  await using site = await createSite();
  const refused = intercept(site.objects, async ({ method }, forward) => {
    if (method === 'replace') throw new Error('the disk is gone');
    return forward();
  });
  const { objects } = beforeFiles(site, 'releases/', () =>
    assert.rejects(removeVersion(new ReleaseStore(refused), removed, attribution), /the disk is gone/),
  );
  await assert.rejects(removeVersion(new ReleaseStore(objects), removed, attribution), {
    exitCode: 3,
    message: /A concurrent removal has marked the same versions or releases\. Repeat the command\.$/,
  });
  assert.deepEqual(await site.verify(), []);
  await removeVersion(new ReleaseStore(site.objects), removed, attribution);
  assert.deepEqual(await site.objects.list('parts/mf-pricing/1.0.0/'), []);
});

test('remove: a release cannot become live again until its removal is complete', async () => {
  await using site = await createSite();
  const [{ releaseId } = assert.fail()] = await site.history();
  const goBack = () => site.change({ kind: 'rollback', versions: { 'mf-pricing': '1.0.0' } });
  const { objects, reached } = beforeFiles(site, `pages/${releaseId}/`, () =>
    assert.rejects(goBack(), new RegExp(`^ReleaseError: Release ${releaseId} is being removed\\. `)),
  );
  const removal = { versions: [], releases: [releaseId] };
  await removeFromStore(new ReleaseStore(objects), removal, { ...attribution, parts: [] });
  assert(reached());
  assert.equal((await goBack()).releaseId, releaseId);
  assert.deepEqual(await site.verify(), []);
});

test('remove: neither its own damaged record nor that of another release stops a removal', async () => {
  await using site = await createSite();
  const [first = '', second = ''] = (await site.history()).map(({ releaseId }) => releaseId);
  for (const key of [`releases/${second}.json`, 'versions/mf-pricing/1.0.0.json'])
    await site.objects.overwrite(key, Buffer.from('{'));
  await removeVersion(site.store, removed, attribution);
  assert.deepEqual(await site.objects.list('parts/mf-pricing/1.0.0/'), []);
  assert(!(await site.store.releaseIds()).includes(first));
  assert.deepEqual(await site.verify(), []);
});

test('remove: a live, previous or canary version stays', async () => {
  await using site = await createSite();
  await site.change({ kind: 'canary', versions: { [removed.part]: removed.version }, percent: 1 });
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    await assert.rejects(
      removeVersion(site.store, { part: 'mf-pricing', version }, attribution),
      /is live, the version before it, or a canary/,
    );
  }
  assert.deepEqual(await site.verify(), []);
});
