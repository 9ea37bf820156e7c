import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtFolder, projectDirectory, run } from '../site/running-site.ts';

const exampleDirectory = join(projectDirectory, 'e2e', 'examples', 'rsbuild-remote');

/** Copies the example out of the repository, with the contract of the live shell, and returns its folder. */
async function copyExample(directory: string, version: string): Promise<string> {
  await cp(exampleDirectory, directory, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|dist[\w-]*)$/.test(path),
  });
  await cp(join(builtFolder('shell'), 'contract'), join(directory, 'contract'), { recursive: true });
  const file = join(directory, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, version }));
  return directory;
}

/** An example with the dependencies of its own lock file, which are not those of this repository. */
export async function installExample(directory: string, version: string): Promise<string> {
  await copyExample(directory, version);
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...options], { cwd: directory });
  return directory;
}

/** Builds with Rsbuild. Returns the output folder. */
export async function buildWithRsbuild(directory: string, config: string): Promise<string> {
  const rsbuild = join(directory, 'node_modules', '@rsbuild', 'core', 'bin', 'rsbuild.js');
  await run(process.execPath, [rsbuild, 'build', '--config', config], {
    cwd: directory,
    variables: { NODE_ENV: undefined },
  });
  return join(directory, 'dist');
}

/** Builds a copy of the example with webpack and the plugins of this repository's dependencies. Returns the output folder. */
export async function buildWithWebpack(directory: string, version: string): Promise<string> {
  await copyExample(directory, version);
  await symlink(join(projectDirectory, 'node_modules'), join(directory, 'node_modules'));
  await run(process.execPath, [join(directory, 'node_modules', '.bin', 'webpack')], { cwd: directory });
  return join(directory, 'dist-webpack');
}
