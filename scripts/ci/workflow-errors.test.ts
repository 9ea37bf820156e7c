import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { workflowErrors } from './workflow-errors.ts';

const valid = `name: x
on: push
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: owner/action@0123456789012345678901234567890123456789 # v1.2.3
      - run: echo \${{ github.sha }}
`;

test('workflows: a valid one has no errors', async () => {
  assert.deepEqual(await workflowErrors('x.yml', valid), []);
});

for (const [what, from, to, expected] of [
  ['an unknown key', 'runs-on:', 'run-on:', /run-on/],
  ['an unknown event', 'on: push', 'on: pushed', /pushed/],
  ['an unknown function', 'github.sha }}', 'gitSha() }}', /gitSha/],
  ['an expression that does not end', 'github.sha }}', 'github.sha', /expression/i],
  ['a job that needs an unknown one', '    timeout', '    needs: test\n    timeout', /no dependencies/],
  ['an action without a commit', /@.*# v1.2.3/, '@v1', /without a fixed commit/],
  ['no time limit', '    timeout-minutes: 5\n', '', /no time limit/],
  ['no permissions', 'permissions:\n  contents: read\n', '', /permissions/],
  ['a pipe in a shell without pipefail', 'echo ${{', 'false | tee log ${{', /pipe hides failures/],
  ['an unknown permission', 'contents: read', 'content: read', /content/],
] as const) {
  test(`workflows: ${what} is an error`, async () => {
    const changed = valid.replace(from, to);
    assert.notEqual(changed, valid);
    assert.match((await workflowErrors('x.yml', changed)).join('\n'), expected);
  });
}

/** The same job with tokens of GitHub. */
const withToken = valid
  .replace('    steps:', '    permissions:\n      id-token: write\n    environment: production\n    steps:')
  .replace('owner/action', 'actions/setup-node')
  .replace('v1.2.3', 'v1.2.3\n        with:\n          package-manager-cache: false')
  .replace('run: echo ${{ github.sha }}', 'run: node scripts/bootstrap.mjs');

test('workflows: a job with tokens that runs no code of a part has no errors', async () => {
  assert.deepEqual(await workflowErrors('x.yml', withToken), []);
});

for (const [what, from, to, expected] of [
  ['no environment', '    environment: production\n', '', /tokens without an environment/],
  ['a secret', 'bootstrap.mjs', 'bootstrap.mjs\n        env: { K: "${{ secrets.K }}" }', /Line 17: a secret/],
  ['a build', 'node scripts/bootstrap.mjs', 'npx turbo run build', /Line 16: .*must not run/],
  ['a script of npm', 'node scripts/bootstrap.mjs', 'npm run release-part', /Line 16: .*must not run/],
  ['several commands', 'node scripts/bootstrap.mjs', '|\n          npm run build', /Line 16: .*must not run/],
  ['another action', 'actions/setup-node', 'actions/cache', /Line 13: .*must not run/],
  ['an action of the part', /actions\/setup-node.*/, './mf-pricing/action', /Line 13: .*must not run/],
  [
    'a step in braces',
    'run: node scripts/bootstrap.mjs',
    '{ run: make }\n      - run: node scripts/bootstrap.mjs',
    /Line 16: /,
  ],
  ['a key in quotes', 'run: node scripts/bootstrap.mjs', '"run" : make', /Line 16: .*must not run/],
  ['a right in quotes', /id-token: write([^]*)- run: .*/, '"id-token": "write"$1- run: make', /: make"/],
  [
    'a variable of Node',
    'bootstrap.mjs',
    'bootstrap.mjs\n        env: { NODE_OPTIONS: -r x }',
    /NODE_OPTIONS/,
  ],
  ['another variable for all jobs', 'jobs:', 'env: { NODE_OPTIONS: -r x }\njobs:', /NODE_OPTIONS/],
  ['another folder', 'bootstrap.mjs', 'bootstrap.mjs\n        working-directory: mf-pricing', /Line 17: /],
  ['another shell', 'bootstrap.mjs', 'bootstrap.mjs\n        shell: make {0}', /Line 17: .*shell/],
  ['a container', '    steps:', '    container: image\n    steps:', /container/],
  ['files in place of its own', 'package-manager-cache: false', 'path: scripts', /Line 15: .*path/],
  ['a cache of packages', 'package-manager-cache: false', 'cache: npm', /cache/],
  ['the cache that is the default', 'package-manager-cache: false', 'node-version: 24', /cache/],
] as const) {
  test(`workflows: a job with tokens and ${what} is an error`, async () => {
    const changed = withToken.replace(from, to);
    assert.notEqual(changed, withToken);
    assert.match((await workflowErrors('x.yml', changed)).join('\n'), expected);
  });
}

test('workflows: a secret outside of the jobs is an error, and so are all that a called workflow gets', async () => {
  const everywhere = valid.replace('jobs:', 'env:\n  KEY: ${{ secrets.KEY }}\njobs:');
  for (const text of [everywhere, everywhere.replace('${{ secrets', '>-\n    ${{\n    secrets')]) {
    assert.match((await workflowErrors('x.yml', text)).join('\n'), /: a secret\./);
  }
  const inherited = valid.replace(
    / {4}runs-on[^]*/,
    '    uses: ./.github/workflows/y.yml\n    secrets: inherit\n',
  );
  assert.match((await workflowErrors('x.yml', inherited)).join('\n'), /: a secret\./);
});

test('workflows: those of the repository have no errors', async () => {
  const folder = join(import.meta.dirname, '..', '..', '.github', 'workflows');
  for (const name of readdirSync(folder)) {
    assert.deepEqual(await workflowErrors(name, readFileSync(join(folder, name), 'utf8')), [], name);
  }
});

test('workflows: releases of a part wait for each other before the build, so that an older one cannot replace a newer one', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '..', '..', '.github', 'workflows', name), 'utf8');
  assert.match(
    read('release.yml'),
    /\n {4}concurrency:\n {6}group: release-\$\{\{ matrix\.part \}\}\n {6}cancel-in-progress: false\n {4}uses: \.\/\.github\/workflows\/release-part\.yml\n/,
  );
  assert.doesNotMatch(read('release-part.yml'), /concurrency:/);
});
