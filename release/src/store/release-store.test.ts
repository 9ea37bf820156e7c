import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPrunable } from '../deploy/prune-store.ts';
import { removeVersion } from '../deploy/remove-version.ts';
import { builtShell } from '../testing/built-part.ts';
import { intercept } from '../testing/interleaved-store.ts';
import { createLiveSite, createTemporaryStore } from '../testing/temporary-store.ts';
import { DirectoryStore } from './directory-store.ts';
import { ReleaseStore } from './release-store.ts';
import { encode, encodeJson } from './stored-json.ts';
import { readShell } from './stored-version.ts';

const record = (hash: string) => ({
  publishedAt: '2026-11-20T10:00:00.000Z',
  publishedBy: 'a test',
  files: { 'shell.js': hash },
});

test('store: concurrent publishes with other content: the second is refused', async () => {
  await using site = await createTemporaryStore();
  const add = (text: string) =>
    site.store.addVersion('shell', '1.0.0', new Map([['shell.js', Buffer.from(text)]]), record(text));
  const outcomes = await Promise.all([add('first'), add('second')]);
  assert.deepEqual(outcomes.toSorted(), ['refused', 'stored']);
  const winner = outcomes[0] === 'stored' ? 'first' : 'second';
  assert.equal(await site.store.readFile('shell', '1.0.0', 'shell.js'), winner);
});

test('store: a version is read once, and a removed one is gone after forgetHashes', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const keys: string[] = [];
  const counted = intercept(site.objects, ({ method, key }, forward) => {
    if (method === 'read') keys.push(key);
    return forward();
  });
  const store = new ReleaseStore(counted);
  await readShell(store, '1.0.0');
  await readShell(store, '1.0.0');
  assert.deepEqual(keys, ['versions/shell/1.0.0.json', 'parts/shell/1.0.0/part.json']);
  await site.release({ shell: '1.1.0' });
  await site.release({ shell: '1.2.0' });
  await removeVersion(site.store, { part: 'shell', version: '1.0.0' }, { who: 'a test' });
  store.forgetHashes();
  await assert.rejects(readShell(store, '1.0.0'), /^ReleaseError: shell 1\.0\.0 is not published\./);
});

test('store: an error about a damaged or newer document says the remedy', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { objects, store, directory: where } = site;
  await objects.overwrite('versions/shell/1.0.0.json', encode('{'));
  await assert.rejects(store.versionRecord('shell', '1.0.0'), {
    name: 'DamagedDocument',
    message: `versions/shell/1.0.0.json in ${where} is damaged. Restore it from a backup, or publish shell 1.0.0 again.`,
  });
  store.forgetHashes();
  await site.publish(builtShell('1.0.0'));
  assert.ok(await store.versionRecord('shell', '1.0.0'));
  const { release, historyEntry: entry, siteConfig, tag } = await store.liveStore.require();
  const later = { ...release, remotes: { 'mf-later': {} } };
  await objects.replace('live.json', encodeJson({ release: later, entry, site: siteConfig }), tag);
  await assert.rejects(store.liveStore.read(), {
    name: 'DamagedDocument',
    message: `live.json in ${where} may be of a newer version of this program. Update this program first. If it is new enough, restore it from a backup, or release into a new store.`,
  });
});

test('history: an older entry has `part` in place of `parts`', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' }, { 'mf-pricing': '1.0.0' });
  const { parts, ...historyEntry } = (await site.store.liveStore.require()).historyEntry;
  const [part] = parts;
  await site.objects.overwrite('history/00000001.json', encodeJson({ ...historyEntry, sequence: 1, part }));
  assert.deepEqual(
    (await site.history()).map((change) => change.parts),
    [['mf-pricing'], ['mf-pricing']],
  );
});

test('store: nothing that visitors can fetch names the releaser', async () => {
  await using site = await createTemporaryStore();
  const { objects, store } = site;
  await site.publish(builtShell('1.0.0'));
  const change = { kind: 'promote', versions: { shell: '1.0.0' } } as const;
  await site.change(change, { who: 'a test', why: 'the reason' });
  for (const key of [...(await objects.list('parts/')), ...(await objects.list('pages/'))]) {
    const content = new TextDecoder().decode((await objects.read(key))?.bytes);
    assert.doesNotMatch(content, /a test|the reason/, key);
  }
  assert.equal((await store.versionRecord('shell', '1.0.0'))?.publishedBy, 'a test');
});

/** A store with 20,000 changes, which counts reads. */
class LongHistory extends DirectoryStore {
  reads = 0;
  mostAtOnce = 0;
  #atOnce = 0;

  override async read(key: string) {
    this.reads += 1;
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    const [, sequence] = /^history\/(\d+)/.exec(key) ?? [];
    const found = await super.read(sequence === undefined ? key : 'live.json');
    this.#atOnce -= 1;
    if (!found || (sequence === undefined && key !== 'live.json')) return found;
    const document = JSON.parse(Buffer.from(found.bytes).toString()) as { readonly entry: object };
    const entry = { ...document.entry, sequence: Number(sequence ?? 20_000) };
    return { ...found, bytes: encodeJson(sequence === undefined ? { ...document, entry } : entry) };
  }
}

test('history: of 20,000 changes, two need two reads, and prune reads few at once', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const objects = new LongHistory(site.directory);
  const store = new ReleaseStore(objects);
  const recent = await store.liveStore.recentHistory(await store.liveStore.require(), 2);
  assert.deepEqual([recent.map(({ sequence }) => sequence), objects.reads], [[20_000, 19_999], 2]);
  await findPrunable(store, new Date());
  assert(objects.reads > 20_000 && objects.mostAtOnce <= 16, `${objects.mostAtOnce} at once`);
});
