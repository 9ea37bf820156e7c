import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { compatibleRemote } from '../testing/compatible-part.ts';
import { createReleaser, failsWith, succeedsWith } from '../testing/run-release.ts';
import { createTemporaryStore } from '../testing/temporary-store.ts';
import { assertAllowed, readOwners } from './owners.ts';

test('owners: a command of another releaser is refused', async () => {
  await using releaser = await createReleaser();
  await writeFile(join(releaser.root, 'owners.json'), '{ "mf-pricing": ["anna", "ben"] }');
  const words = ['publish', 'mf-pricing', await releaser.build(compatibleRemote('mf-pricing', '1.0.0'))];
  assert.deepEqual(
    await releaser.run(words, { RELEASER: 'carl' }),
    failsWith(
      "carl may not publish mf-pricing: its owners are anna, ben. Ask one of them, or to be added to the owners' file.",
    ),
  );
  assert.deepEqual(await releaser.run(words, { RELEASER: 'ben' }), succeedsWith('mf-pricing 1.0.0: stored'));
});

for (const [what, owners, refused] of [
  ['a part that is not listed has the owners of "*"', { '*': ['anna'] }, ['carl']],
  ['a part that is not listed has none without "*"', { shell: ['carl'] }, ['anna', 'carl']],
  ['a part with an empty list has none', { '*': ['*'], 'mf-leads': [] }, ['anna', 'carl']],
  [
    'a releaser with the right to publish only may not release',
    { 'mf-leads': { publish: ['anna'], release: ['carl'] } },
    ['anna'],
  ],
] as const) {
  test(`owners: ${what}`, async () => {
    await using site = await createTemporaryStore();
    const file = join(site.root, 'owners.json');
    await writeFile(file, JSON.stringify(owners));
    const wanted = { right: 'release', parts: ['mf-leads'] } as const;
    const release = (name: string) => () => assertAllowed(readOwners(file), name, wanted);
    for (const name of ['anna', 'carl'] as const) {
      if (refused.some((each) => each === name)) assert.throws(release(name), /may not release mf-leads/);
      else release(name)();
    }
  });
}

test('owners: only those of the shell may override a refusal', () => {
  const own = (...names: string[]) => ({ publish: names, release: names });
  const owners = { shell: own('ben'), 'mf-pricing': own('anna', 'ben') };
  const wanted = { right: 'release', parts: ['mf-pricing'], overrides: ['--in-freeze'] } as const;
  assertAllowed(owners, 'ben', wanted);
  assert.throws(() => assertAllowed(owners, 'anna', wanted), {
    message:
      'anna may not use --in-freeze: only the owners of the shell may, which are ben. Ask one of them.',
  });
  assert.throws(
    () => assertAllowed({ ...owners, shell: own() }, 'anna', wanted),
    /, which are none\. Ask the maintainers of the owners' file to add some\.$/,
  );
});

test('owners: a file that is missing or invalid is refused', async () => {
  await using site = await createTemporaryStore();
  const file = join(site.root, 'own.json');
  for (const content of [undefined, '{', '{ "shell": "anna" }', '{ "mf-prices": ["anna"] }']) {
    if (content !== undefined) await writeFile(file, content);
    const state = content === undefined ? 'is missing' : "is not a valid owners' file";
    assert.throws(() => readOwners(file), {
      name: 'ReleaseError',
      message: `${file} ${state}. Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`,
    });
  }
});
