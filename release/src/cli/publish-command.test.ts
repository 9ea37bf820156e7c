import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compatibleRemote } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, succeedsWith } from '../testing/run-release.ts';

test('publish: a folder with another part is refused, and nothing is stored', async () => {
  await using releaser = await createReleaser();
  const folder = await releaser.build(compatibleRemote('mf-pricing', '1.0.0'));
  assert.deepEqual(
    await releaser.run(['publish', 'mf-header', folder]),
    failsWith('The folder holds mf-pricing, not mf-header. Name the part that it holds.'),
  );
  assert.deepEqual(
    await releaser.run(['publish', 'mf-pricing', folder]),
    succeedsWith('mf-pricing 1.0.0: stored'),
    'the refused publish stored nothing',
  );
});
