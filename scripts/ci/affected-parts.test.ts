import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { affectedParts } from './affected-parts.ts';

const repository = join(import.meta.dirname, '..', '..');
let clone = '';
let head = '';

function git(...words: readonly string[]): string {
  const author = ['-c', 'user.name=a test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...author, ...words], { cwd: clone, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Commits a changed file on top of the repository's commit. Returns the commit before. */
async function change(file: string): Promise<string> {
  git('checkout', '--quiet', '-f', '--detach', head);
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

for (const [what, file, parts] of [
  ['a part affects that part only', 'mf-pricing/src/pricing.tsx', ['mf-pricing']],
  ['the documentation affects no part', 'docs/operate.md', []],
  ['the contract affects every part', 'packages/contracts/src/page/shell-api.ts', partNames],
] as const) {
  test(`affected parts: a change of ${what}`, async () => {
    assert.deepEqual(affectedParts(clone, await change(file)), parts);
  });
}

test('affected parts: an unknown commit is an error, and not a change of everything', () => {
  for (const commit of ['no-such-commit', '--all']) {
    assert.throws(() => affectedParts(clone, commit), new RegExp(`"${commit}" is not in this clone`));
  }
});
