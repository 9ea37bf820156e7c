import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { fittingRemote } from './testing/fitting-part.ts';
import { createReleaser } from './testing/releaser.ts';
import { refuses, says } from './testing/run-release.ts';

test('who does not own a part is refused, for everything that a release can be', async () => {
  await using releaser = await createReleaser();
  const owners = join(releaser.directory, 'owners.json');
  const everybody = Object.fromEntries(partNames.map((name) => [name, ['*']]));
  await writeFile(owners, JSON.stringify({ ...everybody, 'mf-pricing': ['anna', 'ben'], 'mf-leads': [] }));
  const folder = await releaser.build(fittingRemote('mf-pricing', '1.0.0'));
  const environment = { OWNERS_FILE: owners, RELEASER: 'carl' };
  for (const words of [
    ['publish', 'mf-pricing', folder],
    ['promote', 'mf-pricing', '1.0.0'],
    ['canary', 'mf-pricing', '1.0.0', '--percent', '5'],
    ['rollback', 'mf-pricing'],
  ]) {
    assert.deepEqual(
      await releaser.run(words, environment),
      refuses(
        `carl may not release mf-pricing: its owners are anna, ben. Ask one of them, or to be added to ${owners}.`,
      ),
    );
  }
  assert.deepEqual(
    await releaser.run(['publish', 'mf-pricing', folder], { ...environment, RELEASER: 'ben' }),
    says('mf-pricing 1.0.0: stored'),
  );
  assert.match((await releaser.run(['rollback', 'mf-leads'], environment)).stderr, /its owners are nobody\./);
});

for (const content of [undefined, '{', '{ "shell": ["anna"] }']) {
  test(`a file of owners that holds ${content} is refused`, async () => {
    await using releaser = await createReleaser();
    const owners = join(releaser.directory, 'owners.json');
    if (content !== undefined) await writeFile(owners, content);
    assert.deepEqual(
      await releaser.run(['rollback', 'shell'], { OWNERS_FILE: owners }),
      refuses(
        `${owners} does not say who owns which part. It must hold a list of names for each of ${partNames.join(', ')}.`,
      ),
    );
  });
}
