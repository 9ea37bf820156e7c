import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { releaseDocument } from '@countersign/contracts/release-document';
import { ReleaseFault } from '../release-fault.ts';
import { builtRemote, builtShell, manifestFile } from '../testing/built-part.ts';
import { createTemporaryStore, sampleSite } from '../testing/temporary-store.ts';
import { flipRelease } from './flip-release.ts';

function fault(sentence: string) {
  return (error: unknown) => error instanceof ReleaseFault && error.message === sentence;
}

test('versions become live together, with addresses and hashes of their files', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'), builtRemote('mf-pricing', '2.0.0'));
  const document = await site.flip({ shell: '1.0.0', 'mf-pricing': '2.0.0' });

  assert.deepEqual((await site.store.readLive())?.release, document);
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

test('a flip keeps the version before it, and leaves the other parts as they are', async () => {
  await using site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-header', '1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  const before = await site.flip({ shell: '1.0.0', 'mf-header': '1.0.0', 'mf-pricing': '1.0.0' });
  const after = await site.flip({ 'mf-pricing': '1.1.0' });
  assert.equal(after.remotes['mf-pricing']?.live.version, '1.1.0');
  assert.deepEqual(after.remotes['mf-pricing'].previous, before.remotes['mf-pricing']?.live);
  assert.deepEqual(after.remotes['mf-header'], before.remotes['mf-header']);
  assert.deepEqual(after.shell, before.shell);
  assert.notEqual(after.releaseId, before.releaseId);
});

test('the same version again does not take the place of the one before it', async () => {
  await using site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const first = await site.flip({ 'mf-pricing': '1.1.0' });
  const again = await site.flip({ 'mf-pricing': '1.1.0' });
  assert.deepEqual(again, first);
  assert.equal(again.remotes['mf-pricing']?.previous?.version, '1.0.0');
});

test('after a rollback the version that was taken off the page is not kept', async () => {
  await using site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
    builtRemote('mf-pricing', '1.2.0'),
  );
  const first = await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.flip({ 'mf-pricing': '1.1.0' });
  assert.deepEqual(await site.flip({ 'mf-pricing': '1.0.0' }), first);

  const next = await site.flip({ 'mf-pricing': '1.2.0' });
  assert.equal(next.remotes['mf-pricing']?.previous?.version, '1.0.0');
});

test('the same state of the page has the same name, in whatever order it came about', async () => {
  await using one = await createTemporaryStore();
  await using other = await createTemporaryStore();
  for (const site of [one, other]) {
    await site.publish(
      builtShell('1.0.0'),
      builtRemote('mf-header', '1.0.0'),
      builtRemote('mf-pricing', '1.0.0'),
    );
    await site.flip({ shell: '1.0.0' });
  }
  await one.flip({ 'mf-header': '1.0.0' });
  const { releaseId } = await one.flip({ 'mf-pricing': '1.0.0' });
  await other.flip({ 'mf-pricing': '1.0.0' });
  assert.equal((await other.flip({ 'mf-header': '1.0.0' })).releaseId, releaseId);
  assert.equal((await other.flip({})).releaseId, releaseId);
});

test('a page without any remote can be live: each missing one shows its fallback', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'));
  assert.deepEqual((await site.flip({ shell: '1.0.0' })).remotes, {});
});

test('a version that is not published is refused, and what is live stays so', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'));
  const before = await site.flip({ shell: '1.0.0' });
  await assert.rejects(
    site.flip({ 'mf-leads': '9.9.9' }),
    fault('mf-leads 9.9.9 is not published. Publish it, then promote it.'),
  );
  assert.deepEqual((await site.store.readLive())?.release, before);
});

for (const version of ['../mf-header/1.0.0', '..', '1.0', '1.0.0/', 'latest']) {
  test(`"${version}" is not taken for a version, whatever lies at its path`, async () => {
    await using site = await createTemporaryStore();
    await site.publish(builtShell('1.0.0'), builtRemote('mf-header', '1.0.0'));
    const before = await site.flip({ shell: '1.0.0' });
    for (const part of ['shell', 'mf-pricing'] as const) {
      await assert.rejects(
        site.flip({ [part]: version }),
        fault(`"${version}" is no version. Name one such as 1.2.3 or 1.2.3-rc.1.`),
      );
    }
    assert.deepEqual((await site.store.readLive())?.release, before);
  });
}

for (const [stored, said] of [
  [builtRemote('mf-header', '1.0.0'), 'mf-header 1.0.0'],
  [builtRemote('mf-pricing', '1.1.0'), 'mf-pricing 1.1.0'],
] as const) {
  test(`a stored version that calls itself ${said} is not promoted as another`, async () => {
    await using site = await createTemporaryStore();
    await site.publish(builtShell('1.0.0'), builtRemote('mf-pricing', '1.0.0'));
    const before = await site.flip({ shell: '1.0.0' });
    const path = join(site.objects.pathOf('parts'), 'mf-pricing', '1.0.0', 'part.json');
    await writeFile(path, String(stored['part.json']));
    await assert.rejects(
      site.flip({ 'mf-pricing': '1.0.0' }),
      fault(`What is stored as mf-pricing 1.0.0 is ${said}. Publish mf-pricing again under a new version.`),
    );
    assert.deepEqual((await site.store.readLive())?.release, before);
  });
}

test('a release that does not keep to its schema is not written, nor is its page', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'), builtRemote('mf-pricing', '1.0.0'));
  const before = await site.flip({ shell: '1.0.0' });
  const page = join(site.objects.rootDirectory, 'index.html');
  const html = await readFile(page, 'utf8');
  const hashes = join(site.objects.pathOf('versions'), 'mf-pricing', '1.0.0.json');
  await writeFile(hashes, (await readFile(hashes, 'utf8')).replaceAll('sha384-', 'md5-'));
  await assert.rejects(site.flip({ 'mf-pricing': '1.0.0' }), /sha384/);
  assert.deepEqual((await site.store.readLive())?.release, before);
  assert.equal(await readFile(page, 'utf8'), html);
});

test('the first release needs a shell', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtRemote('mf-pricing', '1.0.0'));
  await assert.rejects(
    site.flip({ 'mf-pricing': '1.0.0' }),
    fault('No shell is live yet. Publish and promote the shell first.'),
  );
  assert.equal(await site.store.readLive(), undefined);
});

test('a remote that has nothing to start it is refused', async () => {
  await using site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    manifestFile({
      name: 'mf-pricing',
      version: '1.0.0',
      globalName: 'mf-pricing@1.0.0',
      entry: { scripts: [], styles: [] },
      exposes: {},
    }),
  );
  await assert.rejects(
    site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' }),
    fault('mf-pricing 1.0.0 has no entry. Build and publish it again under a new version.'),
  );
});

test('what is live says with which configuration it was composed', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'));
  await site.flip({ shell: '1.0.0' });
  assert.deepEqual((await site.store.readLive())?.site, sampleSite);
});

test('who is overtaken by another configuration, and sets none, goes on with that one', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'), builtRemote('mf-pricing', '1.0.0'));
  await site.flip({ shell: '1.0.0' });
  const changed = { ...sampleSite, siteOrigin: 'https://www.example.org' };
  await flipRelease(
    site.store,
    { action: 'promote', versions: { 'mf-pricing': '1.0.0' } },
    (before) => before ?? sampleSite,
    { who: 'a test' },
    async () => {
      await site.flip({}, changed);
      return [];
    },
  );
  const live = await site.store.readLive();
  assert.deepEqual(live?.site, changed);
  assert.equal(live?.release.remotes['mf-pricing']?.live.version, '1.0.0');
});
