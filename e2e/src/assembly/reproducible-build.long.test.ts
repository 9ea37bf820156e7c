import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { builtFolder, projectDirectory, removeDirectory, run } from '../site/running-site.ts';

const sources = ['packages', 'package.json', 'package-lock.json', 'tsconfig.base.json'];

/** Path → content of a build's files, without source maps, which name folders. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => /\.\w+$/.test(name) && !name.endsWith('.map')).sort();
  const read = files.map(async (name) => [name, await readFile(join(folder, name))] as const);
  return new Map(await Promise.all(read));
}

for (const part of ['mf-pricing', 'shell']) {
  test(`build: ${part} has the same bytes in another folder`, async () => {
    test.slow();
    // In the project, because files can be linked within one file system only.
    const folder = test.info().outputPath(part);
    try {
      for (const name of [part, ...sources]) {
        const filter = (path: string) => !/\/(?:dist|\.turbo|\.cache)$/.test(path);
        await cp(join(projectDirectory, name), join(folder, name), { recursive: true, filter });
      }
      await run('cp', ['-al', join(projectDirectory, 'node_modules'), folder]);
      await run('npm', ['run', '--silent', 'build'], { cwd: join(folder, part) });
      expect(await filesOf(join(folder, part, 'dist'))).toEqual(await filesOf(builtFolder(part)));
    } finally {
      await removeDirectory(folder);
    }
  });
}
