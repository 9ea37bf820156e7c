import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { builtRemote, builtShell } from './testing/built-part.ts';
import { createTemporaryStore, type TemporaryStore } from './testing/temporary-store.ts';
import { verifyStore } from './verify-store.ts';

async function createLiveSite(): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.flip({ 'mf-pricing': '1.1.0' });
  return site;
}

const faultsOf = async ({ store }: TemporaryStore) => (await verifyStore(store, () => undefined)).faults;

test('everything that is live is hashed anew: the live version and the one before it', async () => {
  await using site = await createLiveSite();
  const looked: string[] = [];
  const outcome = await verifyStore(site.store, (part, version) => looked.push(`${part} ${version}`));
  assert.deepEqual(looked, ['shell 1.0.0', 'mf-pricing 1.1.0', 'mf-pricing 1.0.0']);
  assert.deepEqual(outcome, { files: 13, entries: 2, faults: [] });
});

for (const [what, tamper, fault] of [
  [
    'a file with one byte changed',
    (folder: string) => writeFile(join(folder, 'entry.js'), '/* another */'),
    'mf-pricing 1.0.0 has another entry.js than was published.',
  ],
  [
    'a compressed copy of something else',
    (folder: string) => writeFile(join(folder, 'exposed.js.br'), brotliCompressSync('another')),
    'mf-pricing 1.0.0 has another exposed.js.br than was published.',
  ],
  [
    'a compressed copy that is none',
    (folder: string) => writeFile(join(folder, 'exposed.css.gz'), 'another'),
    'mf-pricing 1.0.0 has another exposed.css.gz than was published.',
  ],
  [
    'a file that is gone',
    (folder: string) => rm(join(folder, 'exposed.js')),
    'mf-pricing 1.0.0 has lost exposed.js.',
  ],
  [
    'a version that is gone',
    (folder: string) => rm(folder, { recursive: true }),
    'mf-pricing 1.0.0 is live and not in the store.',
  ],
] as const) {
  test(`${what} is found`, async () => {
    await using site = await createLiveSite();
    await tamper(join(site.objects.pathOf('parts'), 'mf-pricing', '1.0.0'));
    assert.deepEqual(await faultsOf(site), [fault]);
  });
}

test('an entry that was taken out of the log is found', async () => {
  await using site = await createLiveSite();
  await site.objects.remove(['log/00000001.json']);
  assert.deepEqual(await faultsOf(site), ['The log does not hold together from entry 1 on.']);
});
