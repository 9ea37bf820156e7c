import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { compatibleRemote } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, succeedsWith } from '../testing/run-release.ts';
import { assertOwner, readOwners } from './owners.ts';

test('owners: other releasers are refused by every command', async () => {
  await using releaser = await createReleaser();
  const owners = join(releaser.site.root, 'owners.json');
  await writeFile(owners, JSON.stringify({ '*': ['*'], 'mf-pricing': ['anna', 'ben'], 'mf-leads': [] }));
  const folder = await releaser.build(compatibleRemote('mf-pricing', '1.0.0'));
  const environment = { OWNERS_FILE: owners, RELEASER: 'carl' };
  for (const [right, ...words] of [
    ['publish', 'publish', 'mf-pricing', folder],
    ['release', 'promote', 'mf-pricing', '1.0.0'],
    ['release', 'canary', 'mf-pricing', '1.0.0', '--percent', '5'],
    ['release', 'rollback', 'mf-pricing'],
  ] as const) {
    assert.deepEqual(
      await releaser.run(words, environment),
      failsWith(
        `carl may not ${right} mf-pricing: its owners are anna, ben. Ask one of them, or to be added to the owners' file.`,
      ),
    );
  }
  assert.deepEqual(
    await releaser.run(['publish', 'mf-pricing', folder], { ...environment, RELEASER: 'ben' }),
    succeedsWith('mf-pricing 1.0.0: stored'),
  );
  assert.match((await releaser.run(['rollback', 'mf-leads'], environment)).stderr, /its owners are none\./);
});

for (const [what, owners, refused] of [
  ['a part that is not listed has the owners of "*"', { '*': ['anna'] }, ['carl']],
  ['a part that is not listed has none without "*"', { shell: ['carl'] }, ['anna', 'carl']],
  [
    'a right is for the part only',
    { '*': [], 'mf-leads': { publish: ['anna'], release: ['carl'] } },
    ['anna'],
  ],
] as const) {
  test(`owners: ${what}`, async () => {
    await using releaser = await createReleaser();
    const file = join(releaser.site.root, 'owners.json');
    await writeFile(file, JSON.stringify(owners));
    const found = ['anna', 'carl'].filter((name) => {
      try {
        assertOwner(readOwners(file), 'mf-leads', name, 'release');
        return false;
      } catch {
        return true;
      }
    });
    assert.deepEqual(found, refused);
  });
}

for (const content of [undefined, '{', '{ "shell": "anna" }', '{ "mf-prices": ["anna"] }']) {
  test(`owners: a file with ${content} is refused`, async () => {
    await using releaser = await createReleaser();
    const owners = join(releaser.site.root, 'own.json');
    if (content !== undefined) await writeFile(owners, content);
    assert.deepEqual(
      await releaser.run(['rollback', 'shell'], { OWNERS_FILE: owners }),
      failsWith(
        `${owners} is not a valid owners' file. Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`,
      ),
    );
  });
}

test('owners: only those of the shell may release in spite of violations', async () => {
  await using releaser = await createReleaser();
  const owners = join(releaser.site.root, 'owners.json');
  await writeFile(owners, JSON.stringify({ shell: ['ben'], 'mf-pricing': ['anna', 'ben'] }));
  const force = async (who: string) => {
    const words = ['promote', 'mf-pricing', '1.0.0', '--force', '--why', 'a test'];
    return (await releaser.run(words, { OWNERS_FILE: owners, RELEASER: who })).stderr;
  };
  assert.match(
    await force('anna'),
    /^anna may not use --force: only the owners of the shell may, which are ben\./,
  );
  assert.match(await force('ben'), /^No shell is live yet/);
});
