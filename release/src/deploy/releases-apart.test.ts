import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { partNames, remoteNames } from '@countersign/contracts/remotes';
import { integrityOf } from '../store/file-hash.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createTemporaryStore, type TemporaryStore } from '../testing/temporary-store.ts';

/** Path → hash of every stored file of the given parts, compressed copies and records included. */
async function hashesOf(site: TemporaryStore, parts: readonly string[]): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const part of parts) {
    const folder = join(site.objects.pathOf('parts'), part);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((found) => found.isFile())) {
      const path = join(entry.parentPath, entry.name);
      hashes[path] = integrityOf(await readFile(path));
    }
  }
  return hashes;
}

test('deploy: releasing or rolling back a part changes no file of another part', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.0.0'), ...remoteNames.map((name) => builtRemote(name, '1.0.0')));
  await site.deploy(Object.fromEntries(partNames.map((name) => [name, '1.0.0'])));
  const others = partNames.filter((name) => name !== 'mf-pricing');
  const before = await hashesOf(site, others);
  assert(Object.keys(before).length > 40);

  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  const ofRelease = await hashesOf(site, ['mf-pricing']);
  await site.change({ kind: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 10 });
  await site.deploy({ 'mf-pricing': '1.1.0' });
  await site.change({ kind: 'rollback', part: 'mf-pricing' });

  assert.deepEqual(await hashesOf(site, others), before);
  assert.deepEqual(await hashesOf(site, ['mf-pricing']), ofRelease);
});
