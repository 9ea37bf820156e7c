import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { remoteNames } from '@countersign/contracts/remotes';
import { expect, test } from '@playwright/test';
import { copyForBuild } from '../site/project-copy.ts';
import { builtFolder, removeDirectory, run } from '../site/running-site.ts';

test('new remote: created in one command, it passes its tests and the check', async () => {
  test.slow();
  const copy = test.info().outputPath('project');
  try {
    const files = ['.prettierrc.json', '.prettierignore', '.gitignore', 'package.json', 'tsconfig.json'];
    await copyForBuild(['shell', 'mf-pricing', 'release', 'eslint.config.ts', ...files], copy);
    const variables = { DATA_DIR: join(copy, '.data'), PART_VERSION: '1.0.0' };
    const node = (program: string, args: readonly string[] = [], cwd = copy) =>
      run(process.execPath, [join(copy, program), ...args], { cwd, variables });
    const release = (...args: readonly string[]) => node('release/src/cli.ts', args);

    const options = ['--after', 'mf-pricing/pricing', '--no-install'];
    await node('packages/create-remote/src/create-remote.ts', ['mf-faq', ...options]);
    for (const part of ['mf-faq', 'shell'])
      await node('node_modules/webpack/bin/webpack.js', [], join(copy, part));
    await node('node_modules/jest/bin/jest.js', [], join(copy, 'mf-faq'));
    await node('node_modules/typescript/bin/tsc', ['-b', 'mf-faq', 'shell']);
    await node('node_modules/eslint/bin/eslint.js', ['mf-faq']);
    const changed = ['mf-faq', 'packages/contracts', 'shell/src/page'];
    await node('node_modules/prettier/bin/prettier.cjs', ['--check', ...changed]);

    for (const part of remoteNames) await release('publish', part, builtFolder(part));
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
