import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOwners } from './code-owners.ts';

const lines = (owners: unknown) =>
  codeOwners(JSON.stringify(owners), ['shell', 'mf-pricing'], 'example')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

test('code owners: a part that anyone may release has no line', () => {
  assert.deepEqual(lines({ '*': ['*'], shell: ['platform-team', '*'], 'mf-pricing': [] }), []);
});

test('code owners: releasers with any right on a part are its owners', () => {
  const rights = { publish: ['pricing-ci', 'anna'], release: ['anna', 'ben'] };
  assert.deepEqual(lines({ 'mf-pricing': rights }), [
    '/mf-pricing/ @example/pricing-ci @example/anna @example/ben',
  ]);
});

test('code owners: the line for all files stands first, because the last match counts', () => {
  assert.deepEqual(lines({ 'mf-pricing': ['pricing-team'], '*': ['platform-team'] }), [
    '* @example/platform-team',
    '/mf-pricing/ @example/pricing-team',
  ]);
});

test('code owners: teams of other organizations, people and addresses keep their names', () => {
  assert.deepEqual(lines({ shell: ['elsewhere/web', '@someone', 'web@example.com'] }), [
    '/shell/ @elsewhere/web @someone web@example.com',
  ]);
});

test('code owners: an unknown part, and a name with a space or a line break, are errors', () => {
  assert.throws(() => lines({ 'mf-prices': ['a'] }), /mf-prices, which is no folder/);
  for (const name of ['a b', 'a\n* @b', '']) {
    assert.throws(() => lines({ shell: [name] }), /no name of a team or person/);
  }
});
