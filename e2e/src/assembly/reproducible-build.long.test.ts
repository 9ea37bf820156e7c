import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { environmentWith } from '../config.ts';
import { copyForBuild } from '../site/copy-for-build.ts';
import { builtFolder, removeDirectory } from '../site/running-site.ts';

const run = promisify(execFile);

/** Published file → hash. Source maps are not published. */
async function publishedFiles(built: string): Promise<Record<string, string>> {
  const entries = await readdir(built, { recursive: true, withFileTypes: true });
  const published = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.map'));
  const hashes = published.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    const hash = createHash('sha384').update(await readFile(file));
    return [relative(built, file), hash.digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

for (const part of ['mf-pricing', 'shell']) {
  test(`reproducible build: ${part} has the same bytes in another folder`, async () => {
    test.slow();
    const { version } = JSON.parse(await readFile(join(builtFolder(part), 'part.json'), 'utf8')) as {
      version: string;
    };
    // In the project, because files can be linked within one file system only.
    const copy = test.info().outputPath('in', 'another', 'folder');
    await mkdir(copy, { recursive: true });
    try {
      await copyForBuild([part], copy);
      await run(join(copy, 'node_modules', '.bin', 'webpack'), [], {
        cwd: join(copy, part),
        env: environmentWith({ PART_VERSION: version }),
      });
      expect(await publishedFiles(join(copy, part, 'dist'))).toEqual(await publishedFiles(builtFolder(part)));
    } finally {
      await removeDirectory(copy);
    }
  });
}
