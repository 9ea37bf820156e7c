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

const folder = join(import.meta.dirname, '..', 'workflows');

test('workflows: secrets are only in jobs with an environment', () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const jobs = text.slice(text.indexOf('\njobs:')).split(/\n {2}(?=\w+:\n)/);
    for (const job of jobs.filter((part) => part.includes('secrets.'))) {
      assert.match(job, /\n {4}environment: production\n/, name);
    }
  }
});
