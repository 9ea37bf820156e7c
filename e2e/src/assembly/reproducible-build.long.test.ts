import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { buildPart, copyForBuild, hashesOf } from '../site/project-copy.ts';
import { builtFolder, removeDirectory } from '../site/running-site.ts';

for (const part of ['mf-pricing', 'shell']) {
  test(`reproducible build: ${part} has the same bytes in another folder`, async () => {
    test.slow();
    const { version } = JSON.parse(await readFile(join(builtFolder(part), 'part.json'), 'utf8')) as {
      version: string;
    };
    // In the project, because files can be linked within one file system only.
    const copy = test.info().outputPath('in', 'another', 'folder');
    try {
      await copyForBuild([part], copy);
      expect(await hashesOf(await buildPart(copy, part, version))).toEqual(await hashesOf(builtFolder(part)));
    } finally {
      await removeDirectory(copy);
    }
  });
}
