import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { partNames } from '@countersign/contracts/remotes';
import { expect, test } from '@playwright/test';
import { environmentWith } from '../config.ts';
import { copyForBuild } from '../site/copy-for-build.ts';
import { builtFolder, removeDirectory } from '../site/running-site.ts';

const run = promisify(execFile);

test('new remote: created in one command, it passes its tests and the check', async () => {
  test.slow();
  const copy = test.info().outputPath('project');
  await mkdir(copy, { recursive: true });
  try {
    await copyForBuild(
      [
        'shell',
        'mf-pricing',
        'release',
        'README.md',
        'eslint.config.ts',
        '.prettierrc.json',
        '.prettierignore',
        '.gitignore',
        'package.json',
        'tsconfig.json',
      ],
      copy,
    );
    const node = async (program: string, words: readonly string[] = [], folder = copy) =>
      (
        await run(process.execPath, [join(copy, program), ...words], {
          cwd: folder,
          env: environmentWith({ DATA_DIR: join(copy, '.data'), PART_VERSION: '1.0.0' }),
        })
      ).stdout;
    const release = (...words: readonly string[]) => node('release/src/cli.ts', words);

    await node('packages/create-remote/src/create-remote.ts', [
      'mf-faq',
      '--after',
      'mf-pricing/pricing',
      '--no-install',
    ]);
    for (const part of ['mf-faq', 'shell'])
      await node('node_modules/webpack/bin/webpack.js', [], join(copy, part));
    await node('node_modules/jest/bin/jest.js', [], join(copy, 'mf-faq'));
    await node('node_modules/typescript/bin/tsc', ['-b', 'mf-faq', 'shell']);
    await node('node_modules/eslint/bin/eslint.js', ['mf-faq']);
    await node('node_modules/prettier/bin/prettier.cjs', [
      '--check',
      'mf-faq',
      'README.md',
      'packages/contracts',
      'shell/src/page',
      'release/owners.json',
    ]);

    for (const part of partNames.filter((name) => name !== 'shell'))
      await release('publish', part, builtFolder(part));
    await release('publish', 'shell');
    await release('promote', 'shell', '1.0.0');
    await release('publish', 'mf-faq');
    expect(await release('check', 'mf-faq', '1.0.0')).toBe('mf-faq 1.0.0 can be promoted\n');
    await release('promote', 'mf-faq', '1.0.0');
    const page = await readFile(join(copy, '.data', 'site', 'current', 'index.html'), 'utf8');
    expect(page).toMatch(/<div data-remote="mf-faq"[^>]*>.*Faq<\/h2>/s);
  } finally {
    await removeDirectory(copy);
  }
});
