import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ReleaseError } from '../platform/release-error.ts';
import { firstBrokenEntry, nextEntry } from '../store/audit-entry.ts';
import { pruneStore } from '../store/prune-store.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { intercept } from '../testing/interleaved-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import {
  createLiveSite,
  createTemporaryStore,
  sampleSite,
  type TemporaryStore,
} from '../testing/temporary-store.ts';
import { acceptRestored } from './accept-restored.ts';
import type { Change } from './change.ts';
import { deployRelease } from './deploy-release.ts';

const part = 'mf-pricing';
const author = { who: 'shell-team', why: 'the disk was restored' };
const setBackMessage = (live: number, newest: number) =>
  `live.json was set back: it has entry ${live} of the log, whose newest entry is ${newest}. Restore the newest live.json, or accept the older state: accept-restored --why "…".`;

/** Entry 2 promotes mf-pricing 1.1.0, entry 3 withdraws it, entry 4 promotes mf-header. Then live.json is that of an entry. */
async function siteSetBackTo(entry: 1 | 2 | 3): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  const states: Uint8Array[] = [];
  const changes = [
    () => site.release({ shell: '1.0.0', [part]: '1.0.0' }),
    () => site.release({ [part]: '1.1.0' }),
    () => site.change({ kind: 'rollback', part, withdraw: true }),
    () => site.release({ 'mf-header': '1.0.0' }),
  ];
  for (const change of changes) {
    await change();
    states.push((await site.objects.read('live.json'))?.bytes ?? assert.fail());
  }
  await replaceLive(site, states[entry - 1] ?? assert.fail());
  return site;
}

async function replaceLive({ objects }: TemporaryStore, bytes: Uint8Array): Promise<void> {
  await objects.replace('live.json', bytes, (await objects.read('live.json'))?.tag);
}

for (const entry of [1, 2, 3] as const) {
  test(`a live state that was set back to entry ${entry} of 4 stops each change, and changes no log entry`, async () => {
    await using site = await siteSetBackTo(entry);
    const logged = await site.store.loggedEntries();
    const message = setBackMessage(entry, 4);
    for (const change of [
      () => site.publish(builtRemote(part, '1.1.0')),
      () => site.deploy({ 'mf-header': '1.0.0' }),
      () => site.change({ kind: 'rollback', part }),
      () => pruneStore(site.store, { now: new Date(), remove: true }),
    ]) {
      await assert.rejects(change(), new ReleaseError(message));
    }
    assert.deepEqual(await site.store.loggedEntries(), logged);
    assert((await site.verify()).includes(message));
  });
}

test('accept-restored: is logged after all known entries, and what they withdrew stays withdrawn', async () => {
  await using site = await siteSetBackTo(1);
  const before = await site.store.readLive();
  const { withdrawnInPage } = await acceptRestored(site.store, author);
  assert.deepEqual(withdrawnInPage, []);
  const history = await site.store.history();
  assert.equal(firstBrokenEntry(history), undefined);
  const { action, who, why, from, to } = history[4] ?? assert.fail();
  assert.deepEqual(
    { action, from, to, who, why },
    { action: 'restore', from: 'entry 4', to: 'entry 1', ...author },
  );
  assert.deepEqual((await site.store.readLive())?.release, before?.release);
  assert.deepEqual(await site.verify(), []);
  await assert.rejects(
    site.deploy({ [part]: '1.1.0' }),
    /^ReleaseError: mf-pricing 1\.1\.0 was withdrawn by a test/,
  );
  await site.deploy({ 'mf-header': '1.0.0' });
  assert.deepEqual(await site.verify(), []);
});

test('accept-restored: a withdrawn version that it makes live is named, and can be rolled back', async () => {
  await using site = await siteSetBackTo(2);
  const { withdrawnInPage } = await acceptRestored(site.store, author);
  assert.deepEqual(withdrawnInPage, [{ part, version: '1.1.0', takeOff: 'rollback mf-pricing <version>' }]);
  const served = await site.objects.read('current/index.html');
  await assert.rejects(
    site.deploy({ 'mf-header': '1.0.0' }),
    new ReleaseError(
      'The page refers to withdrawn versions: mf-pricing 1.1.0. Take them off first: rollback mf-pricing <version>.',
    ),
  );
  assert.deepEqual(await site.objects.read('current/index.html'), served);
  await site.change({ kind: 'rollback', part });
  assert.deepEqual(await site.verify(), []);
});

test('accept-restored: a withdrawn previous version cannot be rolled back to, and is withdrawn again', async () => {
  await using site = await createTemporaryStore();
  await site.release({ shell: '1.0.0', [part]: '1.1.0' });
  await site.release({ [part]: '1.2.0' });
  const restored = (await site.objects.read('live.json')) ?? assert.fail();
  await site.change({ kind: 'withdraw', part, version: '1.1.0' });
  await replaceLive(site, restored.bytes);
  const { withdrawnInPage } = await acceptRestored(site.store, author);
  assert.deepEqual(withdrawnInPage, [{ part, version: '1.1.0', takeOff: 'withdraw mf-pricing 1.1.0' }]);
  await assert.rejects(
    site.change({ kind: 'rollback', part }),
    /^ReleaseError: mf-pricing 1\.1\.0 was withdrawn by a test/,
  );
  const { remotes } = await site.change({ kind: 'withdraw', part, version: '1.1.0' });
  assert.deepEqual([remotes[part]?.live.version, remotes[part]?.previous], ['1.2.0', undefined]);
  assert.deepEqual(await site.verify(), []);
});

test('accept-restored: a state that is as new as the log is refused', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await assert.rejects(
    acceptRestored(site.store, author),
    new ReleaseError('live.json is as new as the log, so there is nothing to accept.'),
  );
});

test('a live entry that differs from an intact entry of the log is found, and the log keeps its own', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtShell('1.1.0'));
  const { entry } = (await site.store.readLive()) ?? assert.fail();
  const { at, releaseId, releaseHash } = entry;
  const other = nextEntry(undefined, { at, who: 'another', action: 'compose' }, { releaseId, releaseHash });
  await writeFile(site.objects.pathOf('log/00000001.json'), JSON.stringify(other));
  await assert.rejects(site.deploy({ shell: '1.1.0' }), new ReleaseError(setBackMessage(1, 1)));
  assert.deepEqual(await site.store.loggedEntries(), [other]);
  assert((await site.verify()).includes(setBackMessage(1, 1)));

  await acceptRestored(site.store, author);
  await site.deploy({ shell: '1.1.0' });
  assert.equal((await site.store.history()).length, 3);
  // The entry that the log contradicts is kept beside it, under its hash.
  assert.equal((await site.objects.list('log/00000001-')).length, 1, 'the live entry is kept');
});

test('a concurrent release between two reads of a change is no state that was set back', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtShell('1.1.0'), builtRemote(part, '1.0.0'));
  let hasReleased = false;
  const objects = intercept(site.objects, async ({ method, key }, forward) => {
    const outcome = await forward();
    if (hasReleased || method !== 'read' || key !== 'live.json') return outcome;
    hasReleased = true;
    await site.deploy({ [part]: '1.0.0' });
    return outcome;
  });
  const { release } = (await new ReleaseStore(objects).readLiveForChange()) ?? assert.fail();
  assert(hasReleased);
  assert.equal(release.remotes[part]?.live.version, '1.0.0');
});

test('verify: a withdrawal that live.json lacks and the log has is found', async () => {
  await using site = await siteSetBackTo(3);
  await acceptRestored(site.store, author);
  const live = (await site.objects.read('live.json')) ?? assert.fail();
  const { withdrawn, ...rest } = JSON.parse(new TextDecoder().decode(live.bytes)) as { withdrawn?: unknown };
  assert(withdrawn);
  await replaceLive(site, new TextEncoder().encode(JSON.stringify(rest)));
  assert.deepEqual(await site.verify(), [
    'mf-pricing 1.1.0 was withdrawn by a test, and live.json does not list it. Restore live.json from a backup.',
  ]);
});

test('a missing live.json of a used store stops each change, and prune removes nothing', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtRemote(part, '1.0.0'));
  // A directory store keeps the states of live.json in this folder.
  await rm(site.objects.pathOf('live.json.states'), { recursive: true });
  const lost = new ReleaseError(
    'live.json is missing, but the store is not empty. Restore live.json from a backup, or release into a new store.',
  );
  // Everything is old enough to be removed.
  const later = new Date(Date.now() + 40 * 24 * 60 * 60_000);
  await assert.rejects(site.publish(builtRemote(part, '1.0.0')), lost);
  await assert.rejects(site.deploy({ shell: '1.0.0' }), lost);
  // With less and less left that proves that the store was used.
  for (const folder of ['', 'log', 'releases']) {
    if (folder) await rm(site.objects.pathOf(folder), { recursive: true });
    const left = (await site.objects.list('')).length;
    await assert.rejects(
      pruneStore(site.store, { now: later, remove: true, clockIsRight: true }),
      lost,
      folder,
    );
    assert.equal((await site.objects.list('')).length, left);
  }
});

test('deploy: a change lists the log only if nothing is live', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'), builtRemote(part, '1.0.0'));
  let lists = 0;
  const counted = intercept(site.objects, ({ method, key }, forward) => {
    if (method === 'list' && key === 'log/') lists += 1;
    return forward();
  });
  const deploy = (versions: Extract<Change, { kind: 'promote' }>['versions']) =>
    deployRelease(new ReleaseStore(counted), { kind: 'promote', versions }, () => sampleSite, author);
  await deploy({ shell: '1.0.0' });
  assert.equal(lists, 1);
  await deploy({ [part]: '1.0.0' });
  assert.equal(lists, 1);
});
