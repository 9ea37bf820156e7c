import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { remoteNames } from '@countersign/contracts/remotes';
import { expect, test } from '@playwright/test';
import { copyForBuild, hashesOf } from '../site/project-copy.ts';
import { builtFolder, removeDirectory, run } from '../site/running-site.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

let copy: string;

/** Runs a program of the project in the copy. Rejects with its output if it fails. */
const node = (program: string, args: readonly string[] = [], folder = '', variables = {}) =>
  run(process.execPath, [join(copy, program), ...args], {
    cwd: join(copy, folder),
    variables: { DATA_DIR: join(copy, '.data'), ...variables },
  });
const build = (part: string, version: string) =>
  node('node_modules/webpack/bin/webpack.js', [], part, { PART_VERSION: version });
const testPart = (part: string) => node('node_modules/jest/bin/jest.js', [], part, { CI: '' });
const release = (...args: readonly string[]) => node('release/src/cli.ts', args);
const livePage = () => readFile(join(copy, '.data', 'site', 'current', 'index.html'), 'utf8');

async function builtVersion(part: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(builtFolder(part), 'part.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

test.beforeAll(async () => {
  copy = join(test.info().project.outputDir, 'project-copy');
  const files = ['.prettierrc.json', '.prettierignore', '.gitignore', 'package.json', 'tsconfig.json'];
  await copyForBuild(['shell', 'mf-pricing', 'release', 'eslint.config.ts', ...files], copy);
});

test.afterAll(() => removeDirectory(copy));

test('build: a part has the same bytes in another folder', async () => {
  for (const part of ['mf-pricing', 'shell']) {
    await build(part, await builtVersion(part));
    expect(await hashesOf(join(copy, part, 'dist')), part).toEqual(await hashesOf(builtFolder(part)));
  }
});

test('new remote: created in one command, it passes its tests and the check', async () => {
  const options = ['--after', 'mf-pricing/pricing', '--no-install'];
  await node('packages/create-remote/src/create-remote.ts', ['mf-faq', ...options]);
  for (const part of ['mf-faq', 'shell']) await build(part, '1.0.0');
  await testPart('mf-faq');
  await node('node_modules/@typescript/native/bin/tsc', ['-b', 'mf-faq', 'shell']);
  await node('node_modules/eslint/bin/eslint.js', ['mf-faq']);
  const changed = ['mf-faq', 'packages/contracts', 'shell/src/page'];
  await node('node_modules/prettier/bin/prettier.cjs', ['--check', ...changed]);

  for (const part of remoteNames) await release('publish', part, builtFolder(part));
  await release('publish', 'shell');
  await release('promote', 'shell', '1.0.0');
  await release('publish', 'mf-faq');
  expect(await release('promote', 'mf-faq', '1.0.0')).toMatch(/^mf-faq 1\.0\.0 is live /);
  expect(await livePage()).toMatch(/<div data-remote="mf-faq"[^>]*>.*Faq<\/h2>/s);
});

test('first change: a price label is released and rolled back', async () => {
  await release('promote', 'mf-pricing', await builtVersion('mf-pricing'));
  // A journey promises the label.
  for (const name of ['src/plan-card.tsx', 'journeys.ts']) {
    const file = join(copy, 'mf-pricing', name);
    await writeFile(file, (await readFile(file, 'utf8')).replace('per month', 'a month'));
  }
  await build('mf-pricing', '82.0.0');
  await release('publish', 'mf-pricing');
  await release('promote', 'mf-pricing', '82.0.0');
  expect(await livePage()).toContain('USD a month');
  await release('rollback', 'mf-pricing');
  expect(await livePage()).toContain('USD per month');
});
