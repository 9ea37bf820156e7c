import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { buildPart, copyForBuild, hashesOf } from '../site/project-copy.ts';
import { builtFolder, removeDirectory } from '../site/running-site.ts';

for (const part of ['mf-pricing', 'shell']) {
  test(`build: ${part} has the same bytes in another folder`, async () => {
    test.slow();
    const built = builtFolder(part);
    const manifest = await readFile(join(built, 'part.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    const copy = test.info().outputPath('project');
    try {
      await copyForBuild([part, 'package.json', 'package-lock.json'], copy);
      expect(await hashesOf(await buildPart(copy, part, version))).toEqual(await hashesOf(built));
    } finally {
      await removeDirectory(copy);
    }
  });
}
