import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { remoteNames } from '@countersign/contracts/remotes';
import { affectedParts, affectedTasks } from './affected-tasks.ts';

const repository = join(import.meta.dirname, '..', '..');
let clone = '';
let head = '';

function git(...words: readonly string[]): string {
  const author = ['-c', 'user.name=a test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...author, ...words], { cwd: clone, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Commits a changed file on top of the repository's commit. Returns the commit before. */
async function change(file: string): Promise<string> {
  git('checkout', '--quiet', '--force', '--detach', head);
  await appendFile(join(clone, file), '\n');
  git('commit', '--quiet', '--all', '--message', `changes ${file}`);
  return 'HEAD~1';
}

before(async () => {
  clone = join(await mkdtemp(join(tmpdir(), 'affected-')), 'clone');
  execFileSync('git', ['clone', '--quiet', '--shared', repository, clone], { stdio: 'pipe' });
  head = git('rev-parse', 'HEAD');
});

after(() => rm(dirname(clone), { recursive: true, force: true }));

test('affected tasks: a change inside a part executes the tasks of that part only', async () => {
  const base = await change('mf-pricing/src/pricing.tsx');
  assert.deepEqual(affectedTasks(clone, base, ['build', 'test']), ['mf-pricing#build', 'mf-pricing#test']);
  assert.deepEqual(affectedParts(clone, base), ['mf-pricing']);
});

test('affected tasks: a change of the documentation builds no part', async () => {
  assert.deepEqual(affectedParts(clone, await change('docs/operate.md')), []);
});

test('affected tasks: a change of the contract builds every part', async () => {
  const base = await change('packages/contracts/src/page/shell-api.ts');
  assert.deepEqual(affectedParts(clone, base), ['shell', ...remoteNames]);
});

test('affected tasks: an unknown commit is an error, and not a change of everything', () => {
  assert.throws(
    () => affectedTasks(clone, 'no-such-commit', ['build']),
    /"no-such-commit" is not in this clone/,
  );
  assert.throws(() => affectedTasks(clone, '--all', ['build']));
});

test('affected tasks: a failure of another kind is not taken for an unknown commit', () => {
  assert.throws(() => affectedTasks(join(clone, 'no-such-folder'), 'HEAD', ['build']), /ENOENT/);
});
