import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { projectDirectory } from './running-site.ts';

const run = promisify(execFile);

/**
 * Copies parts of the project, with `packages/`, so that they can be built. The dependencies are linked file by file, so
 * that the bundler finds them below the copy. A link of a whole folder would lead it back to the project.
 *
 * @param directory in the project, because files can be linked within one file system only
 */
export async function copyForBuild(names: readonly string[], directory: string): Promise<void> {
  // A workspace's own node_modules, where versions differ from the root's, contain folders named "dist".
  const isMade = (path: string) =>
    ['.cache', '.turbo'].includes(basename(path)) || /^(?!.*node_modules).*dist$/.test(path);
  for (const name of [...names, 'packages', 'tsconfig.base.json']) {
    await cp(join(projectDirectory, name), join(directory, name), {
      recursive: true,
      filter: (path) => !isMade(relative(projectDirectory, path)),
    });
  }
  await run('cp', ['-al', join(projectDirectory, 'node_modules'), directory]);
}
