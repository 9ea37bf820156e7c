import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtRemote, manifestFile, writeBuiltPart } from '../testing/built-part.ts';
import { createTemporaryStore } from '../testing/temporary-store.ts';
import { addFragments } from './add-fragments.ts';

for (const key of ['./../../../escaped', './"><script>', 'constructor', './a/b']) {
  test(`fragments: a part that exposes ${key} is refused before its code runs`, async () => {
    await using site = await createTemporaryStore();
    const built = join(site.directory, '..', 'built', 'dist');
    const entry = { scripts: ['entry.js'], styles: [] };
    const manifest = manifestFile({
      name: 'mf-pricing',
      version: '1.0.0',
      globalName: 'mf-pricing@1.0.0',
      entry,
      exposes: { [key]: entry },
    });
    await writeBuiltPart(built, builtRemote('mf-pricing', '1.0.0', manifest));
    const rendered: string[] = [];
    await assert.rejects(
      addFragments('mf-pricing', built, async ({ exposedKeys }) => {
        rendered.push(...exposedKeys);
        return { [key]: 'text' };
      }),
      { message: /^mf-pricing 1\.0\.0 exposes ".*", which no slot can name\. Rename it to a key/ },
    );
    assert.deepEqual(rendered, []);
    await assert.rejects(access(join(built, 'fragments', `${key.slice(2)}.html`)), { code: 'ENOENT' });
  });
}
