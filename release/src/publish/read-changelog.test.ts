import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
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
    folder: 'mf-pricing/dist',
    changes: [{ commit: first, subject: 'mf-pricing: plans' }],
  });

  const limits = await commit('mf-pricing/src/limits.ts', 'mf-pricing: limits <b>table</b>');
  const prices = await commit('packages/prices/index.ts', 'packages: prices of 2027');
  await commit('mf-leads/src/form.ts', 'mf-leads: form');
  const head = await commit('mf-pricing/src/plans.test.ts', 'mf-pricing: test of plans');
  assert.deepEqual(await publish('1.1.0'), {
    commit: head,
    folder: 'mf-pricing/dist',
    since: '1.0.0',
    changes: [
      { commit: prices, subject: 'packages: prices of 2027' },
      { commit: limits, subject: 'mf-pricing: limits <b>table</b>' },
    ],
  });
  assert.deepEqual(await publish('1.1.1'), {
    commit: head,
    folder: 'mf-pricing/dist',
    since: '1.1.0',
    changes: [],
  });

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

test('changelog: no setting of a repository starts a program', async () => {
  await using site = await createTemporaryStore();
  const { commit, publish, git, write, root } = await createRepository(site);
  const ran = join(root, '..', 'ran');
  await mkdir(ran);
  const program = join(root, '..', 'program');
  await writeFile(program, `#!/bin/sh\ntouch '${ran}/'"$1"\ncat\n`);
  await chmod(program, 0o755);
  const head = await commit('mf-pricing/src/plans.ts', 'mf-pricing: plans');
  await publish('1.0.0');
  for (const [name, value] of Object.entries({
    'core.fsmonitor': program,
    'filter.odd=name.clean': `'${program}' clean`,
    'filter.odd=name.required': 'true',
    'filter.long.process': `'${program}' process`,
    'log.showSignature': 'true',
    'gpg.program': program,
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'remote.origin.url': `ext::${program} fetch`,
    'protocol.ext.allow': 'always',
  })) {
    git('config', name, value);
  }
  await write('.git/info/attributes', '*.ts filter=odd=name\n*.json filter=long\n');
  // The same content with another time, so that Git reads the files again.
  await write('mf-pricing/src/plans.ts', 'mf-pricing: plans');
  await write('packages/prices/package.json', '{}');
  assert.deepEqual(await publish('1.1.0'), {
    commit: head,
    folder: 'mf-pricing/dist',
    since: '1.0.0',
    changes: [],
  });
  const tree = git('rev-parse', 'HEAD^{tree}');
  await rm(join(root, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
  assert.match(
    (await publish('1.2.0'))?.note ?? '',
    /^"git (?:rev-list|status)" failed \(exit code 128\)\.$/,
  );
  assert.deepEqual(await readdir(ran), []);
});

test('changelog: a working tree elsewhere, an odd folder and a damaged package.json are no obstacle', async () => {
  await using site = await createTemporaryStore();
  const { commit, publish, git, write, root } = await createRepository(site);
  const head = await commit('mf-pricing/src/plans.ts', 'mf-pricing: plans');
  await write('mf-pricing/package.json', '<img src=x>');
  const { note, changes } = (await publish('1.0.0')) ?? {};
  assert.equal(note, 'The working tree had changes that are in no commit.');
  assert.deepEqual(changes, [{ commit: head, subject: 'mf-pricing: plans' }]);
  await rm(join(root, 'mf-pricing', 'package.json'));
  const other = join(root, '..', 'other');
  await mkdir(other);
  git('config', 'core.worktree', other);
  assert.deepEqual(await publish('1.1.0'), {
    changes: [],
    note: 'The build is outside of the working tree of its Git repository.',
  });
});

test('changelog: a list that was cut says so', async () => {
  await using site = await createTemporaryStore();
  const { commit, publish, git, root } = await createRepository(site);
  await commit('mf-pricing/src/plans.ts', 'mf-pricing: plans');
  const author = 'committer a team <team@example.com> 0 +0000\ndata 0\n';
  const commits = Array.from(
    { length: 200 },
    (_, index) =>
      `commit refs/heads/long\n${author}${index === 0 ? 'from HEAD^0\n' : ''}M 100644 inline mf-pricing/file\ndata ${String(index).length}\n${index}\n`,
  );
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
  git('checkout', '--quiet', 'long');
  const changelog = await publish('1.0.0');
  assert.equal(changelog?.changes.length, 200);
  assert.equal(changelog.note, 'Only the last 200 commits are listed.');
});

test('changelog: no text of a commit becomes HTML or a link', async () => {
  await using site = await createTemporaryStore();
  const changes = [{ commit: 'a'.repeat(40), subject: '\\<img src=x> \\[plans\\](x:y) `' }];
  const record = {
    publishedAt: '2026-01-01T00:00:00.000Z',
    publishedBy: 'a team',
    files: {},
    changelog: { changes, note: '<b>' },
  };
  await site.store.addVersion('mf-pricing', '0.9.0', new Map(), record);
  const { stdout } = await runRelease(['changelog', 'mf-pricing'], { DATA_DIR: join(site.directory, '..') });
  assert.match(stdout, /^- \\\\\\<img src=x> \\\\\\\[plans\\\\\\\]\(x:y\) \\` \(a{10}\)\n\n\\<b>$/m);
});
