import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { triedPackages, withVersions } from './newest-versions.ts';
import { liveVersionIn, releaseSteps } from './release-steps.ts';

test('release steps: a remote goes live in stages, judged by visitors’ reports', () => {
  assert.deepEqual(releaseSteps('mf-pricing', '1.1.0', '1.0.0', true), [
    ['canary', 'mf-pricing', '1.1.0', '--percent', '5'],
    ['watch', 'mf-pricing', '--stages', '5,25,100'],
  ]);
});

test('release steps: the shell and a new remote are promoted, a live version is left alone', () => {
  assert.deepEqual(releaseSteps('shell', '1.1.0', '1.0.0', false), [['promote', 'shell', '1.1.0']]);
  assert.deepEqual(releaseSteps('mf-new', '1.0.0', undefined, false), [['promote', 'mf-new', '1.0.0']]);
  assert.deepEqual(releaseSteps('mf-pricing', '1.0.0', '1.0.0', false), []);
});

test('release steps: without reports no canary begins', () => {
  assert.throws(
    () => releaseSteps('mf-pricing', '1.1.0', '1.0.0', false),
    /REPORTS_URL or REPORTS_TOKEN is missing/,
  );
});

test('release steps: empty settings of a workflow count as missing', () => {
  const { isWatched, environment } = readConfig({ REPORTS_URL: 'https://a.example', REPORTS_TOKEN: '' });
  assert.deepEqual([isWatched, 'REPORTS_TOKEN' in environment], [false, false]);
});

test('release part: publishes a build that it is given, and builds nothing itself', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'release-part-'));
  const words = [join(import.meta.dirname, 'release-part.ts'), 'mf-pricing', join(directory, 'dist')];
  const options = { env: { DATA_DIR: directory }, encoding: 'utf8', timeout: 30_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, words, options);
  await rm(directory, { recursive: true });
  assert.equal(status, 1);
  assert.match(stderr, /^\S+ holds no build \(no part\.json\)\. Build the part first\.\n$/);
});

test('live version: a part that was never released has none', () => {
  const printed = {
    release: { shell: { version: '1.0.0' }, remotes: { 'mf-pricing': { live: { version: '1.1.0' } } } },
  };
  assert.equal(liveVersionIn(printed, 'shell'), '1.0.0');
  assert.equal(liveVersionIn(printed, 'mf-pricing'), '1.1.0');
  assert.equal(liveVersionIn(printed, 'mf-leads'), undefined);
});

test('newest versions: dependencies and overrides change, other packages do not', () => {
  const root = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  const changed = withVersions(root, Object.fromEntries(triedPackages.map((name) => [name, '99.0.0'])));
  const { overrides, devDependencies } = JSON.parse(changed) as typeof JSON & {
    overrides: Record<string, unknown>;
    devDependencies: Record<string, string>;
  };
  assert.equal(overrides['webpack'], '99.0.0');
  assert.equal(devDependencies['webpack-cli'], /"webpack-cli": "([^"]+)"/.exec(root)?.[1]);
});
