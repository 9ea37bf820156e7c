import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { composePages } from '../page/compose-pages.ts';
import { integrityOf } from '../platform/file-hash.ts';
import { builtShell } from '../testing/built-part.ts';
import { servedPage } from '../testing/served-page.ts';
import {
  createLiveSite,
  createTemporaryBucket,
  createTemporaryStore,
  sampleSite,
  type TemporaryStore,
} from '../testing/temporary-store.ts';
import { verifyStore } from './verify-store.ts';

const createSite = () => createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' }, { 'mf-pricing': '1.1.0' });

test('verify: hashes all files of the live and the previous version', async () => {
  await using site = await createSite();
  const looked: string[] = [];
  const outcome = await verifyStore(site.store, (part, version) => looked.push(`${part} ${version}`));
  assert.deepEqual(looked, ['shell 1.0.0', 'mf-pricing 1.1.0', 'mf-pricing 1.0.0']);
  assert.deepEqual(outcome, { files: 13, releases: 2, shortHashes: 0, entries: 2, errors: [] });
});

/** @param folder the files of mf-pricing 1.0.0 */
type Tamper = (folder: string, site: TemporaryStore) => Promise<unknown>;

for (const [what, tamper, ...errors] of [
  [
    'a file with one byte changed',
    (folder) => writeFile(join(folder, 'entry.js'), '/* another */'),
    'mf-pricing 1.0.0 has another entry.js than was published.',
  ],
  [
    'a compressed copy of something else',
    (folder) => writeFile(join(folder, 'exposed.js.br'), brotliCompressSync('another')),
    'mf-pricing 1.0.0 has another exposed.js.br than was published.',
  ],
  [
    'a compressed copy that is none',
    (folder) => writeFile(join(folder, 'exposed.css.gz'), 'another'),
    'mf-pricing 1.0.0 has another exposed.css.gz than was published.',
  ],
  [
    'a file that is gone',
    (folder) => rm(join(folder, 'exposed.js')),
    'mf-pricing 1.0.0 has lost exposed.js.',
  ],
  [
    'a version that is gone',
    (folder) => rm(folder, { recursive: true }),
    'mf-pricing 1.0.0 is live and not in the store.',
  ],
  [
    'a file that was added',
    (folder) => writeFile(join(folder, 'another.js'), 'another'),
    'mf-pricing 1.0.0 holds another.js, which was not published with it.',
  ],
  [
    'a compressed copy without a file',
    (folder) => writeFile(join(folder, 'hidden.js.br'), brotliCompressSync('another')),
    'mf-pricing 1.0.0 has another hidden.js.br than was published.',
  ],
  [
    'a file that was altered together with its record',
    async (folder, { objects }) => {
      const file = join(folder, 'entry.js');
      const record = objects.pathOf('versions/mf-pricing/1.0.0.json');
      const hash = integrityOf(await readFile(file));
      for (const suffix of ['.br', '.gz']) await rm(`${file}${suffix}`);
      await writeFile(file, 'another');
      const another = integrityOf(await readFile(file));
      await writeFile(record, (await readFile(record, 'utf8')).replace(hash, another));
    },
    'The record of mf-pricing 1.0.0 lists other files than were published.',
    'mf-pricing 1.0.0 has a record of another entry.js than its release names.',
  ],
  [
    'pages of a release that was never made',
    (_folder, { objects }) =>
      objects.overwrite('pages/r-abcdefabcdef/index.html', Buffer.from('<script>alert(1)</script>')),
    'The pages of release r-abcdefabcdef do not match their hash.',
  ],
  [
    'a removed log entry',
    (_folder, { objects }) => objects.remove(['log/00000001.json']),
    'The hash chain of the log is broken from entry 1 on.',
  ],
] as readonly (readonly [string, Tamper, ...string[]])[]) {
  test(`verify: ${what} is found`, async () => {
    await using site = await createSite();
    await tamper(site.objects.pathOf('parts/mf-pricing/1.0.0'), site);
    assert.deepEqual(await site.verify(), errors);
  });
}

/** A page that an attacker modified: without its policy, and with a script. */
const tampered = (html: string) =>
  html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '<script>alert(1)</script>');

for (const [what, tamper, error] of [
  [
    'a page without its policy and with another script',
    async (folder: string) => {
      const page = join(folder, 'index.html');
      const html = tampered(await readFile(page, 'utf8'));
      await writeFile(page, html);
      await writeFile(`${page}.br`, brotliCompressSync(html));
      await writeFile(`${page}.gz`, gzipSync(html));
    },
    (id: string) => `The pages of release ${id} do not match their hash.`,
  ],
  [
    'a compressed copy of another page',
    (folder: string) => writeFile(join(folder, 'index.html.br'), brotliCompressSync('another')),
    (id: string) => `Release ${id} has index.html.br, which is no copy of index.html.`,
  ],
  [
    'a file of headers that lets more run',
    (folder: string) => writeFile(join(folder, '.headers.map'), '"~." "script-src *";'),
    (id: string) => `The pages of release ${id} do not match their hash.`,
  ],
  [
    'a page that no release has written',
    (folder: string) => writeFile(join(folder, 'login.html'), 'another'),
    (id: string) => `The pages of release ${id} do not match their hash.`,
  ],
  [
    'a link in place of a page',
    async (folder: string) => {
      await writeFile(join(folder, '..', '..', 'elsewhere'), 'another');
      await rm(join(folder, '404.html'));
      await symlink('../../elsewhere', join(folder, '404.html'));
    },
    (id: string) => `The pages of release ${id} do not match their hash.`,
  ],
] as const) {
  for (const which of ['live', 'earlier'] as const) {
    test(`verify: ${what} is found in the ${which} release`, async () => {
      await using site = await createSite();
      const history = await site.store.history();
      const id = history[which === 'live' ? 1 : 0]?.releaseId ?? '';
      await tamper(site.objects.pathOf(`pages/${id}`));
      const errors = await site.verify();
      assert(errors.includes(error(id)), errors.join('\n'));
      assert(
        errors.every((each) => each.includes(id)),
        errors.join('\n'),
      );
    });
  }
}

test('verify: a live.json that names another version than the page is found', async () => {
  await using site = await createSite();
  const state = site.objects.pathOf('live.json.states/0000000002');
  await writeFile(state, (await readFile(state, 'utf8')).replaceAll('app.example', 'another.example'));
  const id = (await site.store.readLive())?.release.releaseId;
  assert.deepEqual(await site.verify(), [
    `The page of release ${id} has another configuration than live.json.`,
  ]);
});

test('verify: an outdated served page is found, and a promotion restores it', async () => {
  await using site = await createSite();
  const [first, second] = (await site.store.history()).map(({ releaseId }) => releaseId);
  await rm(site.objects.rootDirectory);
  await symlink(`pages/${first}`, site.objects.rootDirectory);
  assert.deepEqual(await site.verify(), [
    `Visitors get pages of release ${first}, but ${second} is live. If no release is running now, promote the live version again.`,
  ]);
  await site.deploy({ 'mf-pricing': '1.1.0' });
  assert.deepEqual(await site.verify(), []);
});

test('verify: a changed page in a bucket is found, and a promotion restores it', async () => {
  await using site = await createTemporaryBucket();
  const { objects } = site;
  const { releaseId } = await site.release({ shell: '1.0.0' });
  const found = await objects.read('current/index.html');
  assert(found);
  const html = tampered(new TextDecoder().decode(found.bytes));
  await objects.replace('current/index.html', new TextEncoder().encode(html), found.tag);
  assert.deepEqual(await site.verify(), [
    `current/index.html is not that of release ${releaseId}. If no release is running now, promote the live version again.`,
  ]);
  await site.deploy({ shell: '1.0.0' });
  assert.notEqual((await servedPage(objects, 'index.html')).html, html);
  assert.deepEqual(await site.verify(), []);
});

test('verify: the log has the full SHA-256, and the release ID its prefix', async () => {
  await using site = await createSite();
  const history = await site.store.history();
  assert.equal(history.length, 2);
  for (const { releaseId, releaseHash } of history) {
    assert.match(releaseHash, /^[0-9a-f]{64}$/);
    assert.equal(releaseId, `r-${releaseHash.slice(0, 12)}`);
  }
});

test('verify: a release without a log entry is compared by release ID', async () => {
  await using site = await createTemporaryStore();
  const { releaseId } = await site.release({ shell: '1.0.0' });
  for (const folder of ['live.json.states', 'log'])
    await rm(site.objects.pathOf(folder), { recursive: true });
  const { shortHashes, errors } = await verifyStore(site.store, () => undefined);
  assert.deepEqual({ shortHashes, errors }, { shortHashes: 1, errors: [] });
  await writeFile(site.objects.pathOf(`pages/${releaseId}/404.html`), 'another');
  const broken = `The pages of release ${releaseId} do not match their hash.`;
  assert((await site.verify()).includes(broken));
});

test('verify: incomplete pages of a release that was never live are no error', async () => {
  await using site = await createSite();
  const live = await site.store.readLive();
  assert(live);
  const release = { ...live.release, releaseId: 'r-000000000001' };
  const pages = await composePages(site.store, release, sampleSite);
  await site.store.addRelease(release, new Map([...pages].filter(([name]) => name !== 'index.html')));
  assert.deepEqual(await site.verify(), []);
});

for (const [what, content] of [
  ['empty', ''],
  ['cut off', '{ "sequence": 1,'],
]) {
  test(`verify: a log entry that is ${what} is found, and does not stop a release`, async () => {
    await using site = await createSite();
    await writeFile(site.objects.pathOf('log/00000001.json'), content ?? '');
    const [first] = await site.verify();
    assert.match(first ?? '', /^log\/00000001\.json in .* is damaged\./);
    await site.deploy({ 'mf-pricing': '1.0.0' });
    assert.equal((await site.store.readLive())?.release.remotes['mf-pricing']?.live.version, '1.0.0');
  });

  test(`a log entry that is ${what} while it is moved into the log is written again`, async () => {
    await using site = await createLiveSite({ shell: '1.0.0' });
    await site.publish(builtShell('1.1.0'));
    await writeFile(site.objects.pathOf('log/00000001.json'), content ?? '');
    await site.deploy({ shell: '1.1.0' });
    assert.equal((await site.store.history()).length, 2);
    assert.deepEqual(await site.verify(), []);
  });
}

test('verify: a compressed copy is unpacked no further than its original', async () => {
  await using site = await createSite();
  const folder = join(site.objects.pathOf('parts'), 'mf-pricing', '1.0.0');
  const size = 128 * 1024 * 1024;
  await writeFile(
    join(folder, 'entry.js.br'),
    brotliCompressSync(Buffer.alloc(size), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  );
  const peak = () => process.resourceUsage().maxRSS * 1024;
  const before = peak();
  assert.deepEqual(await site.verify(), ['mf-pricing 1.0.0 has another entry.js.br than was published.']);
  assert(peak() - before < size / 2);
});
