import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtRemote, writeBuiltPart } from '../testing/built-part.ts';
import { runRelease } from '../testing/run-release.ts';
import { createTemporaryStore, type TemporaryStore } from '../testing/temporary-store.ts';
import { publishPart } from './publish-part.ts';

/** A repository with a part that depends on a package beside it. */
async function createRepository(site: TemporaryStore) {
  const root = join(site.directory, '..', 'repository');
  const git = (...words: readonly string[]) => {
    const author = ['-c', 'user.name=a team', '-c', 'user.email=team@example.com'];
    return execFileSync('git', [...author, ...words], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  const write = async (file: string, text: string) => {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), text);
  };
  await write(
    'mf-pricing/package.json',
    JSON.stringify({ dependencies: { prices: '1.0.0', react: '1.0.0' } }),
  );
  await write('packages/prices/package.json', '{}');
  await write('mf-leads/package.json', '{}');
  await write('.gitignore', 'dist\nnode_modules\n');
  await mkdir(join(root, 'node_modules'));
  await symlink('../packages/prices', join(root, 'node_modules', 'prices'));
  git('init', '--quiet');
  const commit = async (file: string, subject: string) => {
    await write(file, subject);
    git('add', '--all');
    git('commit', '--quiet', '--message', `${subject}\n\nA body.`);
    return git('rev-parse', 'HEAD');
  };
  return {
    root,
    git,
    write,
    commit,
    /** Builds and publishes the part. Returns what its record says about its changes. */
    async publish(version: string) {
      const built = join(root, 'mf-pricing', 'dist');
      await writeBuiltPart(built, builtRemote('mf-pricing', version));
      await publishPart(site.store, 'mf-pricing', built, 'pricing-team');
      return (await site.store.versionRecord('mf-pricing', version))?.changelog;
    },
  };
}

test('changelog: a version lists the commits of the part and its packages since the version before', async () => {
  await using site = await createTemporaryStore();
  const { commit, publish } = await createRepository(site);
  const first = await commit('mf-pricing/src/plans.ts', 'mf-pricing: plans');
  assert.deepEqual(await publish('1.0.0'), {
    commit: first,
    changes: [{ commit: first, subject: 'mf-pricing: plans' }],
  });

  const limits = await commit('mf-pricing/src/limits.ts', 'mf-pricing: limits <b>table</b>');
  const prices = await commit('packages/prices/index.ts', 'packages: prices of 2027');
  await commit('mf-leads/src/form.ts', 'mf-leads: form');
  const head = await commit('mf-pricing/src/plans.test.ts', 'mf-pricing: test of plans');
  assert.deepEqual(await publish('1.1.0'), {
    commit: head,
    since: '1.0.0',
    changes: [
      { commit: prices, subject: 'packages: prices of 2027' },
      { commit: limits, subject: 'mf-pricing: limits <b>table</b>' },
    ],
  });
  assert.deepEqual(await publish('1.1.1'), { commit: head, since: '1.1.0', changes: [] });

  const { stdout } = await runRelease(['changelog', 'mf-pricing'], { DATA_DIR: join(site.directory, '..') });
  const day = new Date().toISOString().slice(0, 10);
  const short = (hash: string) => hash.slice(0, 10);
  assert.deepEqual(stdout.trimEnd().split('\n').slice(0, 16), [
    '# mf-pricing',
    '',
    '## 1.1.1',
    '',
    `${day}, pricing-team`,
    '',
    `Commit ${short(head)}, after 1.1.0. No changes of the part.`,
    '',
    '## 1.1.0',
    '',
    `${day}, pricing-team`,
    '',
    `- packages: prices of 2027 (${short(prices)})`,
    `- mf-pricing: limits \\<b>table\\</b> (${short(limits)})`,
    '',
    `Commit ${short(head)}, after 1.0.0.`,
  ]);
});

test('changelog: uncommitted changes and an unknown earlier commit are noted', async () => {
  await using site = await createTemporaryStore();
  const { commit, publish, write, git } = await createRepository(site);
  await commit('mf-pricing/src/plans.ts', 'mf-pricing: plans');
  await write('packages/prices/index.ts', 'not committed');
  assert.equal((await publish('1.0.0'))?.note, 'The working tree had changes that are in no commit.');

  // The history was rewritten, so the earlier commit does not exist any more.
  const lost = git('rev-parse', '--short=10', 'HEAD');
  git('checkout', '--quiet', '--orphan', 'other');
  await commit('mf-pricing/src/plans.ts', 'mf-pricing: plans again');
  git(
    'branch',
    '-D',
    git('branch', '--format=%(refname:short)')
      .split('\n')
      .find((name) => name !== 'other') ?? '',
  );
  git('reflog', 'expire', '--expire=now', '--all');
  git('gc', '--quiet', '--prune=now');
  const changelog = await publish('1.1.0');
  assert.equal(changelog?.note, `The commit of 1.0.0, ${lost}, is not in this repository.`);
  assert.deepEqual(
    changelog.changes.map(({ subject }) => subject),
    ['mf-pricing: plans again'],
  );
});

test('changelog: without a repository or a commit a part is published with a note', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtRemote('mf-pricing', '1.0.0'));
  assert.deepEqual((await site.store.versionRecord('mf-pricing', '1.0.0'))?.changelog, {
    changes: [],
    note: 'The build is not in a Git repository.',
  });
  const { publish } = await createRepository(site);
  assert.deepEqual(await publish('1.1.0'), { changes: [], note: 'The Git repository has no commit yet.' });
});

test('changelog: versions of older releases have none', async () => {
  await using site = await createTemporaryStore();
  const record = { publishedAt: '2026-01-01T00:00:00.000Z', publishedBy: 'a team', files: {} };
  await site.store.addVersion('mf-pricing', '0.9.0', new Map(), record);
  const environment = { DATA_DIR: join(site.directory, '..') };
  const { stdout } = await runRelease(['changelog', 'mf-pricing'], environment);
  assert.match(stdout, /## 0\.9\.0\n\n2026-01-01, a team\n\nPublished without a changelog\./);
  const { stdout: json } = await runRelease(['changelog', 'mf-pricing', '--json'], environment);
  const { publishedAt, publishedBy } = record;
  assert.deepEqual(JSON.parse(json), [{ version: '0.9.0', publishedAt, publishedBy }]);
});
