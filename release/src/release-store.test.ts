import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReleaseFault } from './release-fault.ts';
import { builtShell } from './testing/built-part.ts';
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

for (const content of ['{ "schemaVersion": 1', '{}']) {
  test(`a live.json with the content ${content} is refused in one sentence that names the file`, async () => {
    await using site = await createTemporaryStore();
    await site.publish(builtShell('1.0.0'));
    await site.flip({ shell: '1.0.0' });
    const path = join(site.directory, 'live.json');
    await writeFile(path, content);
    await assert.rejects(
      site.store.readLive(),
      (error) =>
        error instanceof ReleaseFault &&
        error.message ===
          `${path} is damaged. Put a copy of it back, or remove it and promote every part again.`,
    );
  });
}

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
