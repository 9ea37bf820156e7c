import { referencedVersions } from '@countersign/contracts/release-versions';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseError } from '../platform/release-error.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { interleave, type StoreCall } from '../testing/interleaved-store.ts';
import { serveSite } from '../testing/served-site.ts';
import { createLiveSite, createTemporaryBucket, sampleSite } from '../testing/temporary-store.ts';
import type { Change } from './change.ts';
import { deployRelease } from './deploy-release.ts';

const part = 'mf-pricing';
const withdrawing: Change = { kind: 'rollback', part, withdraw: true };
const byTeam = { who: 'pricing-team', why: 'it sends what visitors type to another site' };
const refused = (error: unknown) =>
  error instanceof ReleaseError &&
  /^mf-pricing 1\.1\.0 was withdrawn by a test on \d{4}-\d\d-\d\d\. Build another version, or allow this one again: reinstate mf-pricing 1\.1\.0 --why "…"\.$/.test(
    error.message,
  );

test('rollback --withdraw: pages and files of the version respond with 404', async () => {
  await using site = await serveSite();
  const releaseOf = async (version: string) => (await site.deploy({ [part]: version })).releaseId;
  const sound = await releaseOf('1.0.0');
  await site.publish(builtRemote(part, '1.1.0'), builtRemote('mf-header', '2.0.0'));
  const bad = [await releaseOf('1.1.0'), (await site.deploy({ 'mf-header': '2.0.0' })).releaseId];
  const { remotes } = await site.change(withdrawing);
  assert.deepEqual([remotes[part]?.live.version, remotes[part]?.previous], ['1.0.0', undefined]);

  const files = ['entry.js', 'entry.js.br', 'exposed.js', 'exposed.css', 'part.json'];
  for (const path of [
    ...bad.flatMap((id) => [`/?release=${id}`, `/?preview&release=${id}`]),
    ...files.map((file) => `/${part}/1.1.0/${file}`),
  ]) {
    assert.equal((await site.request(path)).status, 404, path);
  }
  for (const path of ['/', '/?preview', `/?release=${sound}`, `/${part}/1.0.0/entry.js`]) {
    assert.equal((await site.request(path)).status, 200, path);
  }
  assert.deepEqual(await site.verify(), []);
});

test('rollback --withdraw in a bucket: no object of the version or of its pages is left', async () => {
  await using site = await createTemporaryBucket();
  const { objects } = site;
  await site.release({ shell: '1.0.0', [part]: '1.0.0' });
  const bad = await site.release({ [part]: '1.1.0' });
  await site.change(withdrawing);
  const keys = await objects.list('');
  const left = keys.filter((key) => key.includes(`/${part}/1.1.0/`) || key.includes(bad.releaseId));
  assert.deepEqual(
    left.filter((key) => !key.endsWith('/claim')),
    [],
  );
  const pages = keys.filter((name) => /^(current|pages)\//.test(name));
  assert.notEqual(pages.length, 0);
  for (const key of pages) {
    const found = await objects.read(key);
    assert.doesNotMatch(new TextDecoder().decode(found?.bytes), /1\.1\.0/, key);
  }
});

test('withdraw: the version cannot be promoted, made a canary, restored or published', async () => {
  await using site = await serveSite();
  await site.release({ [part]: '1.1.0' });
  const before = await site.change(withdrawing);
  const attempts: readonly (() => Promise<unknown>)[] = [
    () => site.deploy({ [part]: '1.1.0' }),
    () => site.change({ kind: 'canary', part, version: '1.1.0', percent: 1 }),
    () => site.change({ kind: 'rollback', part, version: '1.1.0' }),
    () => site.publish(builtRemote(part, '1.1.0')),
  ];
  for (const attempt of attempts) await assert.rejects(attempt(), refused);
  assert.deepEqual((await site.store.readLive())?.release, before);
  assert.equal((await site.request(`/${part}/1.1.0/entry.js`)).status, 404);
});

test('reinstate: the same content can be published and promoted again', async () => {
  await using site = await serveSite();
  const { releaseId } = await site.release({ [part]: '1.1.0' });
  await site.change(withdrawing);
  await site.change({ kind: 'reinstate', part, version: '1.1.0' });
  await assert.rejects(site.deploy({ [part]: '1.1.0' }), /is not published/);
  await site.publish(builtRemote(part, '1.1.0'));
  assert.equal((await site.deploy({ [part]: '1.1.0' })).releaseId, releaseId);
  assert.equal((await site.request(`/?release=${releaseId}`)).status, 200);
});

test('withdraw: takes a version from canary and from the version before, never the live one', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', [part]: '1.0.0' }, { [part]: '1.1.0' });
  await site.change({ kind: 'canary', part, version: '1.0.0', percent: 10 });
  const withdrawn = await site.change({ kind: 'withdraw', part, version: '1.0.0' });
  assert.deepEqual(
    referencedVersions(withdrawn).map(({ version }) => version),
    ['1.0.0', '1.1.0'],
    'the shell and the live version',
  );
  for (const [version, message] of [
    ['1.1.0', /^mf-pricing 1\.1\.0 is live\. Take it off the page: rollback mf-pricing --withdraw/],
    ['9.9.9', /^mf-pricing 9\.9\.9 is not published, so there is nothing to withdraw/],
    ['../mf-header', /^Invalid version/],
  ] as const) {
    await assert.rejects(site.change({ kind: 'withdraw', part, version }), { message });
  }
});

test('withdraw: a repeated call removes what an interrupted one has left', async () => {
  await using site = await serveSite();
  await site.release({ [part]: '1.1.0' });
  const keys = (await site.objects.list('')).filter((key) => /^(parts|pages|releases)\//.test(key));
  const contents = new Map<string, Uint8Array>();
  for (const key of keys) contents.set(key, (await site.objects.read(key))?.bytes ?? new Uint8Array());
  await site.change(withdrawing);
  for (const [key, bytes] of contents) await site.objects.create(key, bytes);
  const errors = await site.verify();
  assert.equal(errors.length, 2);
  for (const error of errors) assert.match(error, /Run "withdraw mf-pricing 1\.1\.0" again\.$/);

  const log = await site.store.history();
  await site.change({ kind: 'withdraw', part, version: '1.1.0' });
  assert.deepEqual(await site.verify(), []);
  assert.equal((await site.request(`/${part}/1.1.0/entry.js`)).status, 404);
  assert.deepEqual(await site.store.history(), log);
});

test('withdraw: a release that loses the race leaves no page of the version', async () => {
  await using site = await serveSite();
  await site.publish(builtRemote('mf-header', '2.0.0'));
  await site.release({ [part]: '1.1.0' });
  let withdrawals = 0;
  const promoted = await deployRelease(
    site.store,
    { kind: 'promote', versions: { 'mf-header': '2.0.0' } },
    () => sampleSite,
    byTeam,
    async () => {
      if (withdrawals === 0) await site.change(withdrawing);
      withdrawals += 1;
      return [];
    },
  );
  assert.equal(withdrawals, 2, 'it was applied to what was live by then');
  assert.equal(promoted.remotes[part]?.live.version, '1.0.0');
  for (const releaseId of await site.store.releaseIds()) {
    const release = (await site.store.readRelease(releaseId))?.release;
    assert(release && !referencedVersions(release).some(({ version }) => version === '1.1.0'), releaseId);
  }
});

test('withdraw before any call of a release of the version leaves nothing of it', async () => {
  let calls = 0;
  for (let n = 1, reached = true; reached; n += 1) {
    await using site = await createLiveSite({ shell: '1.0.0', [part]: '1.0.0' });
    await site.publish(builtRemote(part, '1.1.0'));
    const withdraw = async () => {
      const live = (await site.store.readLive())?.release.remotes[part]?.live.version;
      await site.change(live === '1.1.0' ? withdrawing : { kind: 'withdraw', part, version: '1.1.0' });
    };
    const shared = ({ method, key }: StoreCall) =>
      ['list', 'remove', 'replace'].includes(method) || /^(?:live|log|releases|removals)/.test(key);
    const interleaved = interleave(site.objects, n, withdraw, shared);
    const promote: Change = { kind: 'promote', versions: { [part]: '1.1.0' } };
    await deployRelease(new ReleaseStore(interleaved.objects), promote, () => sampleSite, byTeam).catch(
      (error: unknown) => assert(error instanceof ReleaseError, `call ${n}: ${String(error)}`),
    );
    reached = interleaved.reached();
    if (!reached) break;
    const live = (await site.store.readLive())?.release.remotes[part]?.live.version;
    assert.equal(live, '1.0.0', `call ${n}`);
    assert.deepEqual(await site.verify(), [], `call ${n}`);
    const pages = (await site.objects.list('pages/')).filter((name) => name.endsWith('.html'));
    assert.notEqual(pages.length, 0, `call ${n}`);
    for (const key of pages) {
      const found = await site.objects.read(key);
      assert.doesNotMatch(new TextDecoder().decode(found?.bytes), /1\.1\.0/, `call ${n}: ${key}`);
    }
    calls = n;
  }
  assert(calls > 5, `it was withdrawn before ${calls} calls only`);
});
