import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { liveVersionIn, releaseSteps } from './release-steps.ts';

for (const part of ['mf-pricing', 'shell']) {
  test(`release steps: ${part} goes live in stages, judged by visitors’ reports`, () => {
    assert.deepEqual(releaseSteps(part, '1.1.0', '1.0.0'), [
      ['canary', part, '1.1.0', '--percent', '5'],
      ['watch', part, '--stages', '5,25,100'],
    ]);
  });
}

test('release steps: a new part is promoted, a live version is left alone', () => {
  assert.deepEqual(releaseSteps('mf-new', '1.0.0', undefined), [['promote', 'mf-new', '1.0.0']]);
  assert.deepEqual(releaseSteps('mf-pricing', '1.0.0', '1.0.0'), []);
});

test('release part: fails without a build in the given folder, or without a release server', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'release-part-'));
  const program = join(import.meta.dirname, 'release-part.ts');
  const run = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [program, 'mf-pricing', directory], {
      env,
      encoding: 'utf8',
      timeout: 30_000,
    });
  const withoutBuild = run({ RELEASE_URL: 'http://127.0.0.1:1' });
  const withoutServer = run({ RELEASE_URL: '', DATA_DIR: directory });
  await rm(directory, { recursive: true });
  assert.deepEqual([withoutBuild.status, withoutServer.status], [1, 1]);
  assert.match(withoutBuild.stderr, /^\S+ holds no build \(no part\.json\)\. Build the part first\.\n$/);
  assert.match(withoutServer.stderr, /^RELEASE_URL is missing\./);
});

test('live version: a part that was never released has none', () => {
  const release = { shell: { version: '1.0.0' }, remotes: { 'mf-pricing': { live: { version: '1.1.0' } } } };
  const printed = { release, commits: { 'mf-pricing': 'c0ffee' } };
  assert.deepEqual(liveVersionIn(printed, 'shell'), { version: '1.0.0', commit: undefined });
  assert.deepEqual(liveVersionIn(printed, 'mf-pricing'), { version: '1.1.0', commit: 'c0ffee' });
  assert.equal(liveVersionIn(printed, 'mf-leads').version, undefined);
});
