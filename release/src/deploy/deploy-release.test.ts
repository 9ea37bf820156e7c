import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import { NothingIsLive } from '../store/live-store.ts';
import { builtRemote } from '../testing/built-part.ts';
import { intercept, interleave, isCommit } from '../testing/interleaved-store.ts';
import {
  createLiveSite,
  createTemporaryStore,
  sampleSiteConfig,
  type TemporaryStore,
  withObjects,
} from '../testing/temporary-store.ts';
import { deployRelease } from './deploy-release.ts';

const attribution = { who: 'pricing-team' };
const rollback = { kind: 'rollback', versions: { 'mf-pricing': undefined } } as const;

test('deploy: versions become live together, with URLs and hashes of their files', async () => {
  await using site = await createTemporaryStore();
  const document = await site.release({ shell: '1.0.0', 'mf-pricing': '2.0.0' });

  assert.deepEqual((await site.store.liveStore.read())?.release, document);
  assert.deepEqual(releaseDocument.parse(document), document);
  const hashes = await site.store.hashesOf('mf-pricing', '2.0.0');
  const chunk = {
    scripts: [{ url: '/mf-pricing/2.0.0/exposed.js', integrity: hashes?.['exposed.js'] }],
    styles: [{ url: '/mf-pricing/2.0.0/exposed.css', integrity: hashes?.['exposed.css'] }],
  };
  assert.deepEqual(document.remotes['mf-pricing'], {
    live: {
      version: '2.0.0',
      globalName: 'mf-pricing@2.0.0',
      entry: { url: '/mf-pricing/2.0.0/entry.js', integrity: hashes?.['entry.js'] },
      exposes: { './first': chunk, './second': chunk },
    },
  });
  assert.equal(document.shell.version, '1.0.0');
  assert.equal(document.shell.scripts[0]?.url, '/shell/1.0.0/shell.js');
});

test('deploy: releasing or rolling back a part changes no file of any published version', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-header': '1.0.0', 'mf-pricing': '1.0.0' });
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  const stored = async () => {
    // Without deltas, which are added to new versions.
    const keys = (await site.objects.list('parts/')).filter((key) => !key.includes('/deltas/'));
    return Promise.all(keys.map(async (key) => [key, await site.objects.read(key)]));
  };
  const before = await stored();
  assert(before.length > 30);
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent: 10 });
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await site.change(rollback);
  assert.deepEqual(await stored(), before);
});

const invalidVersion = (version: string) =>
  `Invalid version "${version}". Use one such as 1.2.3 or 1.2.3-rc.1.`;

for (const [what, versions, message] of [
  [
    'an unpublished version',
    { 'mf-leads': '9.9.9' },
    'mf-leads 9.9.9 is not published. Publish it, then promote it.',
  ],
  // The first is the path of a published version, as seen from the folder of another part.
  ...['../mf-header/1.0.0', '..', '1.0', '1.0.0/', 'latest'].flatMap((version) =>
    (['shell', 'mf-pricing'] as const).map(
      (part) => [`${part} ${version}`, { [part]: version }, invalidVersion(version)] as const,
    ),
  ),
  [
    'a remote without an entry',
    { 'mf-leads': '1.0.0' },
    'mf-leads 1.0.0 has no entry. Build and publish it again under a new version.',
  ],
] as readonly (readonly [string, Partial<Record<PartName, string>>, string])[]) {
  test(`deploy: ${what} is refused`, async () => {
    await using site = await createTemporaryStore();
    const withoutEntry = builtRemote('mf-leads', '1.0.0', {}, { entry: { scripts: [], styles: [] } });
    await site.publish(builtRemote('mf-header', '1.0.0'), withoutEntry);
    const before = await site.release({ shell: '1.0.0' });
    await assert.rejects(site.deploy(versions), { name: 'ReleaseError', message });
    assert.deepEqual((await site.store.liveStore.read())?.release, before);
  });
}

test('deploy: the first release needs a shell', async () => {
  await using site = await createTemporaryStore();
  await assert.rejects(site.release({ 'mf-pricing': '1.0.0' }), new NothingIsLive());
  assert.equal(await site.store.liveStore.read(), undefined);
});

test('deploy: a retry after a lost race keeps the winner’s configuration', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtRemote('mf-pricing', '1.0.0'));
  const changed = { ...sampleSiteConfig, siteOrigin: 'https://www.example.org' };
  await deployRelease(
    site.store,
    { kind: 'promote', versions: { 'mf-pricing': '1.0.0' } },
    (before) => before ?? sampleSiteConfig,
    { who: 'a test' },
    async () => {
      await site.deploy({}, changed);
      return [];
    },
  );
  const liveState = await site.store.liveStore.read();
  assert.deepEqual(liveState?.siteConfig, changed);
  assert.equal(liveState?.release.remotes['mf-pricing']?.live.version, '1.0.0');
});

test('deploy: the back-off after a lost race leaves out the duration of the check', async (context) => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtRemote('mf-pricing', '1.0.0'), builtRemote('mf-header', '1.0.0'));
  context.mock.method(Math, 'random', () => 1);
  let now = performance.now();
  context.mock.method(performance, 'now', () => now);
  let checks = 0;
  const change = { kind: 'promote', versions: { 'mf-pricing': '1.0.0' } } as const;
  // As a part of the back-off, these five minutes would be longer than the limit of this test.
  await site.change(change, attribution, async () => {
    checks += 1;
    now += 300_000;
    if (checks === 1) await site.deploy({ 'mf-header': '1.0.0' });
    return [];
  });
  assert.equal(checks, 2);
});

test('deploy: the files of a version are verified once, also after a lost race', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtRemote('mf-pricing', '1.0.0'), builtRemote('mf-header', '1.0.0'));
  let reads = 0;
  const counted = intercept(site.objects, ({ method, key }, forward) => {
    // Only a verification reads it.
    if (method === 'read' && key === 'parts/mf-pricing/1.0.0/exposed.js.gz') reads += 1;
    return forward();
  });
  const rival = async () => void (await site.deploy({ 'mf-header': '1.0.0' }));
  const behind = interleave(counted, 1, rival, isCommit);
  const { remotes } = await withObjects(site, behind.objects).deploy({ 'mf-pricing': '1.0.0' });
  assert.deepEqual([Object.keys(remotes), reads], [['mf-header', 'mf-pricing'], 1]);
});

/** Versions 1.0.0 and 1.1.0 of mf-pricing were live, 1.2.0 is, and mf-header 1.0.0 is published. */
async function siteWithHistory(): Promise<TemporaryStore> {
  const site = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
    { 'mf-pricing': '1.2.0' },
  );
  await site.publish(builtRemote('mf-header', '1.0.0'));
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.0.0' }, percent: 10 });
  return site;
}

const pricingIn = async ({ store }: TemporaryStore) =>
  (await store.liveStore.read())?.release.remotes['mf-pricing'];

// The store makes the write and answers otherwise, as when a client repeats a request whose response was lost.
for (const [answer, fail] of [
  ['refuses the write', () => 'changed'],
  ['fails', () => Promise.reject(new Error('socket hang up'))],
] as const) {
  test(`deploy: a commit whose answer ${answer} is recognised after another release, and not repeated`, async () => {
    await using site = await siteWithHistory();
    const behind = intercept(site.objects, async (call, forward) => {
      const outcome = await forward();
      if (!isCommit(call)) return outcome;
      await site.deploy({ 'mf-header': '1.0.0' });
      return fail();
    });
    await withObjects(site, behind).change(rollback);
    assert.deepEqual(
      (await site.history()).slice(-2).map(({ action, parts }) => `${action} ${parts.join()}`),
      ['rollback mf-pricing', 'promote mf-header'],
    );
    assert.equal((await pricingIn(site))?.live.version, '1.2.0');
  });
}

test('deploy: an unknown outcome of the commit is said, and tells to look before repeating', async () => {
  await using site = await siteWithHistory();
  let isDown = false;
  const behind = intercept(site.objects, async (call, forward) => {
    isDown ||= isCommit(call);
    if (isDown) throw new ReleaseError('A request failed.');
    return forward();
  });
  await assert.rejects(withObjects(site, behind).change(rollback), {
    exitCode: 3,
    message:
      'It is unknown whether the change was committed as entry 5 of the history: A request failed. Run "history" before you repeat the command.',
  });
});

test('deploy: an error after the commit says that changes are live, with the remedy', async () => {
  await using site = await siteWithHistory();
  let isCommitted = false;
  const behind = intercept(site.objects, async (call, forward) => {
    if (isCommitted && call.method !== 'read') throw new ReleaseError('A request failed.');
    const outcome = await forward();
    isCommitted ||= isCommit(call);
    return outcome;
  });
  const versions = { 'mf-pricing': '1.1.0', 'mf-header': '1.0.0' };
  await assert.rejects(withObjects(site, behind).deploy(versions), {
    exitCode: 3,
    message: `The change is committed as entry 5 of the history, but not complete: A request failed. Do not repeat the command. If "history" shows no newer change of mf-header and mf-pricing, complete it: promote mf-header 1.0.0 mf-pricing 1.1.0.`,
  });
  assert.equal((await pricingIn(site))?.live.version, '1.1.0');
});
