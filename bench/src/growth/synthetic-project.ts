import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory, runProgram } from '../platform/child-programs.ts';
import {
  asPart,
  exposedKey,
  firstPart,
  sectionSource,
  sectionStyles,
  syntheticNames,
} from './synthetic-part.ts';

const webpack = join(projectDirectory, 'node_modules', 'webpack-cli', 'bin', 'cli.js');
const tsconfig = {
  compilerOptions: { target: 'ES2023', jsx: 'react-jsx', module: 'ESNext', moduleResolution: 'bundler' },
};
/** Version of all synthetic builds. */
export const syntheticVersion = '1.0.0';

/** A copy of this project whose page consists of synthetic parts. */
export interface SyntheticProject {
  readonly folder: string;
  readonly names: readonly string[];
  /** Build folder of a part or of the shell. */
  buildOf(part: string): string;
}

/**
 * Copies packages, shell and release, and registers the synthetic parts in place of the remotes. Builds one part
 * and copies its build for the others.
 */
export async function createSyntheticProject(folder: string, count: number): Promise<SyntheticProject> {
  const names = syntheticNames(count);
  await copyProject(folder);
  await registerParts(folder, names);
  await writePart(join(folder, firstPart));
  const version = { PART_VERSION: syntheticVersion };
  for (const part of [firstPart, 'shell']) await runProgram([webpack], version, join(folder, part));
  for (const name of names.slice(1)) await copyBuild(folder, name);
  await copyBuild(folder, firstPart);
  return {
    folder,
    names,
    buildOf: (part) => join(folder, part, part === 'shell' ? 'dist' : 'build'),
  };
}

async function copyProject(folder: string): Promise<void> {
  const isSource = (path: string) => !/\/(node_modules|dist|\.turbo)$/.test(path);
  for (const name of [
    'packages',
    'shell',
    'release',
    'bench/src/growth',
    'package.json',
    'tsconfig.base.json',
  ]) {
    await cp(join(projectDirectory, name), join(folder, name), { recursive: true, filter: isSource });
  }
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(join(projectDirectory, 'node_modules'))) {
    if (name === '@countersign') continue;
    await symlink(join(projectDirectory, 'node_modules', name), join(modules, name));
  }
  // A workspace has its own node_modules if its versions differ from the root's.
  const packages = await readdir(join(folder, 'packages'));
  for (const workspace of ['release', 'shell', ...packages.map((name) => join('packages', name))]) {
    const own = join(projectDirectory, workspace, 'node_modules');
    if (existsSync(own)) await symlink(own, join(folder, workspace, 'node_modules'));
  }
  await mkdir(join(modules, '@countersign'));
  for (const name of packages) {
    await symlink(join(folder, 'packages', name), join(modules, '@countersign', name));
  }
}

/** Replaces the remotes of the landing page in the contract, the list of slots and the owners. */
async function registerParts(folder: string, names: readonly string[]): Promise<void> {
  const contract = join(folder, 'packages', 'contracts', 'src', 'page', 'remotes.ts');
  const text = await readFile(contract, 'utf8');
  const renamed = text.replace(/remoteNames = \[[^\]]*\]/, `remoteNames = ${JSON.stringify(names)}`);
  if (renamed === text) throw new Error(`${contract} has no list of remote names.`);
  await writeFile(contract, renamed);
  const slots = names.map((remote) => ({ remote, exposed: exposedKey }));
  await writeFile(
    join(folder, 'shell', 'src', 'page', 'landing-page-slots.ts'),
    `export const landingPageSlots = { header: [], main: ${JSON.stringify(slots)}, footer: [] };\n`,
  );
  await writeFile(join(folder, 'release', 'owners.json'), JSON.stringify({ '*': ['*'] }));
}

async function writePart(folder: string): Promise<void> {
  await mkdir(join(folder, 'src'), { recursive: true });
  const definition = `{ name: '${firstPart}', exposes: { '${exposedKey}': () => import('./src/section.tsx') }, hydration: { '${exposedKey}': 'load' } }`;
  const files = {
    'package.json': JSON.stringify({ name: firstPart, version: syntheticVersion, type: 'module' }),
    'tsconfig.json': JSON.stringify(tsconfig),
    'webpack.config.ts': `import { createRemoteConfig } from '@countersign/webpack-config/create-remote-config';
export default createRemoteConfig({ root: import.meta.dirname, version: '${syntheticVersion}', remote: ${definition} });
`,
    'src/section.tsx': sectionSource,
    'src/section.module.css': sectionStyles,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Copies the build of the first part with the name and text of another one. */
async function copyBuild(folder: string, part: string): Promise<void> {
  const built = join(folder, firstPart, 'dist');
  const target = join(folder, part, 'build');
  for (const entry of await readdir(built, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.map')) continue;
    const path = join(entry.parentPath, entry.name).slice(built.length);
    await mkdir(join(target, path, '..'), { recursive: true });
    await writeFile(join(target, path), asPart(await readFile(join(built, path), 'utf8'), part));
  }
}
