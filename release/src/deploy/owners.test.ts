import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { compatibleRemote } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, succeedsWith } from '../testing/run-release.ts';

test('owners: other releasers are refused by every command', async () => {
  await using releaser = await createReleaser();
  const owners = join(releaser.directory, 'owners.json');
  await writeFile(owners, JSON.stringify({ '*': ['*'], 'mf-pricing': ['anna', 'ben'], 'mf-leads': [] }));
  const folder = await releaser.build(compatibleRemote('mf-pricing', '1.0.0'));
  const environment = { OWNERS_FILE: owners, RELEASER: 'carl' };
  for (const words of [
    ['publish', 'mf-pricing', folder],
    ['promote', 'mf-pricing', '1.0.0'],
    ['canary', 'mf-pricing', '1.0.0', '--percent', '5'],
    ['rollback', 'mf-pricing'],
  ]) {
    assert.deepEqual(
      await releaser.run(words, environment),
      failsWith(
        `carl may not release mf-pricing: its owners are anna, ben. Ask one of them, or to be added to the owners' file.`,
      ),
    );
  }
  assert.deepEqual(
    await releaser.run(['publish', 'mf-pricing', folder], { ...environment, RELEASER: 'ben' }),
    succeedsWith('mf-pricing 1.0.0: stored'),
  );
  assert.match((await releaser.run(['rollback', 'mf-leads'], environment)).stderr, /its owners are none\./);
});

test('owners: a part that is not listed has the owners of "*"', async () => {
  await using releaser = await createReleaser();
  const owners = join(releaser.directory, 'owners.json');
  const environment = { OWNERS_FILE: owners, RELEASER: 'carl' };
  for (const [content, names] of [
    [{ '*': ['anna'] }, 'anna'],
    [{ shell: ['carl'] }, 'none'],
  ] as const) {
    await writeFile(owners, JSON.stringify(content));
    const { stderr } = await releaser.run(['rollback', 'mf-leads'], environment);
    assert.match(stderr, new RegExp(`carl may not release mf-leads: its owners are ${names}\\.`));
  }
});

for (const content of [undefined, '{', '{ "shell": "anna" }', '{ "mf-prices": ["anna"] }']) {
  test(`owners: a file with ${content} is refused`, async () => {
    await using releaser = await createReleaser();
    const owners = join(releaser.directory, 'own.json');
    if (content !== undefined) await writeFile(owners, content);
    assert.deepEqual(
      await releaser.run(['rollback', 'shell'], { OWNERS_FILE: owners }),
      failsWith(
        `${owners} is not a valid owners' file. Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`,
      ),
    );
  });
}

test('owners: who may publish a part need not be who releases it', async () => {
  await using releaser = await createReleaser();
  const owners = join(releaser.directory, 'owners.json');
  await writeFile(
    owners,
    JSON.stringify({ 'mf-pricing': { publish: ['ci'], release: ['anna'] }, shell: ['anna'] }),
  );
  const folder = await releaser.build(compatibleRemote('mf-pricing', '1.0.0'));
  const run = (who: string, ...words: readonly string[]) =>
    releaser.run(words, { OWNERS_FILE: owners, RELEASER: who });
  assert.deepEqual(
    await run('anna', 'publish', 'mf-pricing', folder),
    failsWith(
      `anna may not publish mf-pricing: the owners with this right are ci. Ask one of them, or to be added to the owners' file.`,
    ),
  );
  assert.equal((await run('ci', 'publish', 'mf-pricing', folder)).code, 0);
  const { stderr } = await run('ci', 'promote', 'mf-pricing', '1.0.0');
  assert.match(stderr, /^ci may not release mf-pricing: the owners with this right are anna\./);
  assert.match((await run('anna', 'promote', 'mf-pricing', '1.0.0')).stderr, /^No shell is live yet/);
  assert.match((await run('ci', 'prune')).stderr, /^ci may not release shell: its owners are anna\./);
});

test('owners: only those of the shell may release in spite of violations', async () => {
  await using releaser = await createReleaser();
  const owners = join(releaser.directory, 'owners.json');
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
