import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';

const run = promisify(execFile);
const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** Checks out a commit into a temporary folder while `measure` runs. It uses the installed dependencies if they are the same. */
export async function withCommit<Result>(
  ref: string,
  measure: (directory: string) => Promise<Result>,
): Promise<Result> {
  const parent = await mkdtemp(join(tmpdir(), 'bench-commit-'));
  const directory = join(parent, 'site');
  const git = (...args: string[]) => run('git', args, { cwd: projectDirectory });
  await git('worktree', 'add', '--detach', directory, ref);
  try {
    const lock = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');
    if ((await lock(directory)) === (await lock(projectDirectory))) {
      await linkDependencies('.', directory);
      for (const name of await readdir(directory)) await linkDependencies(name, directory);
    }
    // Installs what is missing.
    await run(process.execPath, ['scripts/bootstrap.mjs'], { cwd: directory });
    return await measure(directory);
  } finally {
    await git('worktree', 'remove', '--force', directory);
    await rm(parent, { recursive: true, force: true });
  }
}

/** Links the installed packages of a folder. Links to folders of the project lead to those of the commit. */
async function linkDependencies(folder: string, directory: string): Promise<void> {
  const installed = join(projectDirectory, folder, 'node_modules');
  const target = join(directory, folder, 'node_modules');
  const names = await readdir(installed).catch(() => []);
  if (names.length === 0) return;
  await mkdir(target, { recursive: true });
  for (const name of names) {
    const from = join(installed, name);
    const to = join(target, name);
    if ((await lstat(from)).isSymbolicLink()) {
      await symlink(await readlink(from), to);
    } else if (name === '@countersign') {
      await mkdir(to);
      for (const own of await readdir(from)) await symlink(await readlink(join(from, own)), join(to, own));
    } else {
      await symlink(from, to);
    }
  }
}
