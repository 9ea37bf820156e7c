import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReleaseFault } from './release-fault.ts';
import { createTemporaryStore } from './testing/temporary-store.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a new store holds no version, and nothing is live', async () => {
  await using site = await createTemporaryStore();
  assert.equal(await site.store.hashesOf('shell', '1.0.0'), undefined);
  assert.equal(await site.store.readLive(), undefined);
});

test('of two that store the same version at once the second is refused and leaves nothing behind', async () => {
  await using site = await createTemporaryStore();
  await site.store.addVersion('shell', '1.0.0', new Map([['shell.js', bytes('first')]]), {});
  await assert.rejects(
    site.store.addVersion('shell', '1.0.0', new Map([['shell.js', bytes('second')]]), {}),
    (error) => error instanceof ReleaseFault && /^shell 1\.0\.0 could not be stored/.test(error.message),
  );
  assert.equal(await site.store.readFile('shell', '1.0.0', 'shell.js'), 'first');
  assert.deepEqual(await readdir(join(site.directory, 'staging')), []);
});

test('a page that is replaced leaves no drafts behind', async () => {
  await using site = await createTemporaryStore();
  await site.store.writePage('index.html', '<p>First</p>');
  await site.store.writePage('index.html', '<p>Second</p>');
  assert.deepEqual((await readdir(site.store.pagesDirectory)).sort(), [
    'index.html',
    'index.html.br',
    'index.html.gz',
  ]);
});
