import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote, builtShell, type BuiltPart } from '../testing/built-part.ts';
import { createLiveSite, createTemporaryStore } from '../testing/temporary-store.ts';
import { publishPart } from './publish-part.ts';

/** Matches a `ReleaseError` with this message. */
const releaseError = (message: RegExp) => ({ name: 'ReleaseError', message });

test('publish: a part is stored under its version, with compressed copies', async () => {
  await using site = await createTemporaryStore();
  const part = builtRemote('mf-pricing', '1.0.0', {
    'chunks/limits.js': 'const limits = [];'.repeat(50),
    'avatar.png': 'pixels',
  });
  const [published] = await site.publish(part);
  assert.equal(published?.outcome, 'stored');
  assert.equal(published.manifest.name, 'mf-pricing');

  const folder = join(site.objects.pathOf('parts'), 'mf-pricing', '1.0.0');
  const hashes = await site.store.hashesOf('mf-pricing', '1.0.0');
  for (const name of Object.keys(part).filter((name) => !name.endsWith('.map'))) {
    const path = join(folder, name);
    const hash = createHash('sha256').update(part[name] ?? '');
    assert.equal(hashes?.[name], `sha256-${hash.digest('base64')}`);
    assert.equal(await readFile(path, 'utf8'), part[name]);
    if (name === 'avatar.png') continue;
    assert.equal(brotliDecompressSync(await readFile(`${path}.br`)).toString(), part[name]);
    assert.equal(gunzipSync(await readFile(`${path}.gz`)).toString(), part[name]);
  }
  // A PNG is compressed already.
  assert.equal(existsSync(join(folder, 'avatar.png.br')), false);
});

const built = builtRemote('mf-pricing', '1.0.0');
/** The build with other entries in its `part.json`, which may be invalid, and other files. */
const withManifest = (changes: object, files: BuiltPart = {}): BuiltPart =>
  builtRemote('mf-pricing', '1.0.0', files, changes);
const listed = ['entry.js', 'exposed.css', 'exposed.js'];

test('publish: only files that the build lists are published', async () => {
  await using site = await createTemporaryStore();
  const other = [
    'exposed.old.js',
    'contract/old.d.ts',
    'entry.js.br',
    'entry.js.map.gz',
    '.env',
    '.git/config',
  ];
  const [, again] = await site.publish(
    withManifest({ files: listed }),
    withManifest({ files: listed }, Object.fromEntries(other.map((name) => [name, 'stale']))),
  );
  assert.equal(again?.outcome, 'unchanged');
  const published = [...listed, 'part.json'];
  assert.deepEqual(Object.keys((await site.store.hashesOf('mf-pricing', '1.0.0')) ?? {}), published);
  const stored = await readdir(join(site.objects.pathOf('parts'), 'mf-pricing', '1.0.0'));
  assert.deepEqual(stored.sort(), published.flatMap((name) => [name, `${name}.br`, `${name}.gz`]).sort());
});

test('publish: other content under a published version is refused, with the remedy', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtRemote('mf-pricing', '1.0.0'));
  for (const changed of [{ 'entry.js': 'changed' }, { 'another.js': 'more' }]) {
    await assert.rejects(
      site.publish(builtRemote('mf-pricing', '1.0.0', changed)),
      releaseError(
        /^mf-pricing 1\.0\.0 is published already, with other content\. Build it with another PART_VERSION\.$/,
      ),
    );
  }
  assert.match(await site.store.readFile('mf-pricing', '1.0.0', 'entry.js'), /entry of mf-pricing/);
});

const noBuild = /holds no build \(no part\.json\)\. Build the part first\.$/;
const invalid = /part\.json is not valid: [^]* Build the part again\.$/;
const incomplete = / names (\S+) but does not hold it\. Build the part again\.$/;
const unsafeFragment =
  /^mf-pricing 1\.0\.0 cannot be published:\nfragments\/first\.html: line 1, column 13, <img>: onerror runs code/;
const unsafeImage = /^mf-pricing 1\.0\.0 cannot be published:\nimages\/plan\.svg contains a script\./;
const composedName = / This name is reserved for a composed page\. Rename the file and build again\.$/;
const oddName = / holds \S+ .* Rename the file and build again\.$/;

for (const [what, part, ...messages] of [
  ['no part.json', { 'index.js': '' }, noBuild],
  ['an invalid version', withManifest({ version: 'next' }), invalid, /version/],
  ['a version of 65 characters', withManifest({ version: `1.0.0-${'b'.repeat(59)}` }), invalid, /64/],
  ['an unknown name', withManifest({ name: 'mf-unknown' }), invalid, /name/],
  [
    'a path in its entry',
    withManifest({ entry: { scripts: ['../entry.js/'], styles: [] } }),
    invalid,
    /entry\.scripts/,
  ],
  ['a part.json that ends early', { ...built, 'part.json': '{ "name":' }, invalid],
  [
    'a part.json that may be private',
    { ...built, 'part.json': 'aws_secret = abc' },
    /part\.json is not valid: it is not JSON\. Build the part again\.$/,
  ],
  [
    'no file for an exposed key',
    // A name that every object inherits.
    withManifest({ exposes: { './first': { scripts: ['constructor'], styles: [] } } }),
    incomplete,
    /constructor/,
  ],
  ['a missing file in its list', withManifest({ files: [...listed, 'late.js'] }), incomplete],
  ['a path in its list', withManifest({ files: [...listed, '../late.js'] }), invalid],
  ['an absolute path in its list', withManifest({ files: [...listed, '/etc/passwd'] }), invalid],
  ['a folder in its list', withManifest({ files: [...listed, 'entry.js/..'] }), invalid],
  [
    'a fragment that could harm the page',
    withManifest(
      { fragments: { './first': 'fragments/first.html' } },
      { 'fragments/first.html': '<p>Plans</p><img src="/mf-pricing/a.png" onerror="alert(1)">' },
    ),
    unsafeFragment,
  ],
  [
    'an image with a script',
    withManifest(
      {},
      { 'images/plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>a()</script></svg>' },
    ),
    unsafeImage,
  ],
  [
    'a stylesheet that would end its element',
    withManifest({}, { 'exposed.css': '.part::after { content: "</style>" }' }),
    /exposed\.css contains "<\/style"\. Remove it\.$/,
  ],
  ...['lonely.js.br', 'folder.gz/script.js'].map(
    (name) => [name, withManifest({}, { [name]: 'x' }), oddName] as const,
  ),
  ...['with space.js', 'new\nline.js', `${'x'.repeat(201)}.js`].map(
    (name) => [JSON.stringify(name).slice(0, 40), withManifest({}, { [name]: 'x' }), invalid] as const,
  ),
  ['a list without its page', builtShell('1.0.0', {}, { files: ['shell.js', 'shell.css'] }), incomplete],
  ...['index.html', 'preview.html', '404.html', '.headers.json'].map(
    (name) => [`a public ${name}`, builtShell('1.0.0', { [`public/${name}`]: 'x' }), composedName] as const,
  ),
] as readonly (readonly [string, BuiltPart, ...RegExp[]])[]) {
  test(`publish: a build with ${what} is refused, and its version stays free`, async () => {
    await using site = await createTemporaryStore();
    const refused = site.publish(part);
    for (const message of messages) await assert.rejects(refused, releaseError(message));
    await site.release({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
    assert.deepEqual(await site.verify(), []);
  });
}

test('publish: publishing again restores a lost file or compressed copy', async () => {
  await using site = await createTemporaryStore();
  const part = builtRemote('mf-pricing', '1.0.0');
  await site.publish(part);
  for (const name of ['entry.js', 'entry.js.br']) {
    const path = join(site.objects.pathOf('parts'), 'mf-pricing', '1.0.0', name);
    const before = await readFile(path);
    await rm(path);
    const [again] = await site.publish(part);
    assert.equal(again?.outcome, 'stored');
    assert.deepEqual(await readFile(path), before);
  }
});

test('publish: a version that has lost a compressed copy alone can still become live', async () => {
  await using site = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
  );
  await rm(site.objects.pathOf('parts/mf-pricing/1.0.0/entry.js.br'));
  await site.change({ kind: 'rollback', versions: { 'mf-pricing': '1.0.0' } });
  assert.deepEqual(await site.verify(), ['mf-pricing 1.0.0 has lost entry.js.br. Publish it again.']);
});

test('publish: publishing again replaces a damaged record, unless the content differs', async () => {
  await using site = await createTemporaryStore();
  const part = builtRemote('mf-pricing', '1.0.0');
  await site.publish(part);
  await site.objects.overwrite('versions/mf-pricing/1.0.0.json', Buffer.from('{ "files":'));
  // Another process, because a store reads a record once.
  const store = new ReleaseStore(site.objects);
  const publish = async (build: BuiltPart) =>
    publishPart(store, 'mf-pricing', await site.build(build), 'a test');
  await assert.rejects(
    publish({ ...part, 'entry.js': 'changed' }),
    releaseError(/is published already, with other content/),
  );
  assert.equal((await publish(part)).outcome, 'stored');
  assert.deepEqual(await store.findDamagedFiles({ part: 'mf-pricing', version: '1.0.0' }), []);
});

test('publish: a link is refused, because it could lead to a private file', async () => {
  await using site = await createTemporaryStore();
  const built = await site.build(withManifest({ files: [...listed, 'image.png'] }));
  await symlink('/etc/passwd', join(built, 'image.png'));
  await assert.rejects(
    publishPart(site.store, 'mf-pricing', built, 'a test'),
    releaseError(/not a regular file\. Replace it by a copy of the file\.$/),
  );
});

test('publish: more than a page can need is refused', async () => {
  await using site = await createTemporaryStore();
  const built = await site.build(builtRemote('mf-pricing', '1.0.0', { 'image.png': '' }));
  // Needs no disk space.
  await truncate(join(built, 'image.png'), 120e6);
  await assert.rejects(
    publishPart(site.store, 'mf-pricing', built, 'a test'),
    releaseError(/ 121 MB in 5 files to publish, and at most 100 MB in 5000 files are allowed\. Remove what/),
  );
});
