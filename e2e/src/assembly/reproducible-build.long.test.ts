import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { config } from '../config.ts';
import { builtFolder, projectDirectory, releaseCommand, removeDirectory, run } from '../site/running-site.ts';

const parts = ['mf-pricing', 'shell'] as const;

/** Takes the place of `npm ci`, which takes minutes: links the packages of the project. All else is npm's own. */
const npm = `#!/bin/sh
PATH="\${PATH#*:}"
[ "$1" = ci ] && exec cp -al '${join(projectDirectory, 'node_modules')}' .
exec npm "$@"
`;

/** A repository with one commit of the sources as they are, and their files. */
async function createRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const git = (...words: readonly string[]) =>
    run('git', ['-c', 'user.name=e2e', '-c', 'user.email=e2e@example.com', ...words], { cwd: folder });
  await git('init', '--quiet');
  const names = [...parts, 'packages', 'package.json', 'package-lock.json', 'tsconfig.base.json'];
  const workTree = ['--git-dir', join(folder, '.git'), '--work-tree', projectDirectory];
  await git(...workTree, '-C', projectDirectory, 'add', '--', ...names, '.gitignore', '.npmrc');
  await git('commit', '--quiet', '--message', 'sources');
  await git('checkout', '--quiet', '--', '.');
}

test('rebuild: the shell and a remote have the same bytes in another folder', async () => {
  test.slow();
  // In the project, because files can be linked within one file system only.
  const folder = test.info().outputPath('rebuild');
  const repository = join(folder, 'repository');
  const variables = {
    DATA_DIR: join(folder, 'data'),
    TMPDIR: folder,
    PATH: `${join(folder, 'bin')}:${config.path}`,
  };
  const release = (...words: readonly string[]) =>
    run(process.execPath, [releaseCommand, ...words], { variables });
  try {
    await createRepository(repository);
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'npm'), npm, { mode: 0o755 });
    for (const part of parts) {
      const built = join(repository, part, 'dist');
      await cp(builtFolder(part), built, { recursive: true });
      await release('publish', part, built);
      const { version } = JSON.parse(await readFile(join(built, 'part.json'), 'utf8')) as { version: string };
      expect(await release('rebuild', part, version, '--repository', repository)).toMatch(
        /has the same bytes in all \d+ files\n$/,
      );
    }
  } finally {
    await removeDirectory(folder);
  }
});
