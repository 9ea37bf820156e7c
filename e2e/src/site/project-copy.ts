import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { projectDirectory, run } from './running-site.ts';

const installed = join(projectDirectory, 'node_modules');
const buildOutput = ['dist', '.turbo', '.cache', '.data'];

/**
 * Copies files and folders of the project into a new folder outside of it, with its dependencies and `packages/` linked in. A part
 * that is not copied cannot be imported there. The caller removes the copy.
 */
export async function copyProject(names: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'project-'));
  for (const name of names) {
    await cp(join(projectDirectory, name), join(copy, name), {
      recursive: true,
      filter: (path) => ![...buildOutput, 'node_modules'].includes(basename(path)),
    });
    // A workspace has its own dependencies if their versions differ from the root's.
    const own = join(projectDirectory, name, 'node_modules');
    if (existsSync(own)) await symlink(own, join(copy, name, 'node_modules'));
  }
  await mkdir(join(copy, 'node_modules'));
  for (const entry of await readdir(installed, { withFileTypes: true })) {
    // Links are left out: they lead to the project's top-level folders. The files, which record what is installed, are few.
    const target = join(copy, 'node_modules', entry.name);
    if (entry.isDirectory()) await symlink(join(installed, entry.name), target);
    else if (entry.isFile()) await cp(join(installed, entry.name), target);
  }
  return copy;
}

/**
 * Copies parts of the project, with `packages/`, so that they can be built. The dependencies are linked file by file, so
 * that the bundler finds them below the copy. A link of a whole folder would lead it back to the project.
 *
 * @param directory in the project, because files can be linked within one file system only
 */
export async function copyForBuild(names: readonly string[], directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const name of [...names, 'packages', 'tsconfig.base.json']) {
    const source = join(projectDirectory, name);
    await cp(source, join(directory, name), {
      recursive: true,
      // Packages in a workspace's own node_modules contain folders named "dist".
      filter: (path) =>
        path.slice(source.length).includes('node_modules') || !buildOutput.includes(basename(path)),
    });
  }
  const dependencies = join(directory, 'node_modules');
  await mkdir(dependencies);
  // Without the caches, in which other tests create and remove files meanwhile.
  const entries = (await readdir(installed)).filter((name) => !buildOutput.includes(name));
  await run('cp', ['-al', ...entries.map((name) => join(installed, name)), dependencies]);
}

/** Path → hash of each file below a folder. Source maps are left out, because they are not published. */
export async function hashesOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.map'));
  const hashes = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    const hash = createHash('sha384').update(await readFile(file));
    return [relative(directory, file), hash.digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
