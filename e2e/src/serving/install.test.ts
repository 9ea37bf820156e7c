import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { projectDirectory, removeDirectory } from '../site/running-site.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly os?: string | readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

async function lockedPackages(): Promise<Readonly<Record<string, LockedPackage>>> {
  const lock = await readFile(join(projectDirectory, 'package-lock.json'), 'utf8');
  return (JSON.parse(lock) as { packages: Record<string, LockedPackage> }).packages;
}

test('install: npm scripts run on the Node.js that package-lock.json names', async () => {
  const binary = relative(await realpath(projectDirectory), process.execPath);
  const locked = (await lockedPackages())[binary.replace('/bin/node', '')];
  expect(locked?.os).toContain(process.platform);
  expect(locked?.integrity).toMatch(/^sha512-/);
  expect(`v${locked?.version}`).toBe(process.version);
  expect(process.release.lts).toBeDefined();
});

test('install: package-lock.json has the packages for every platform', async () => {
  const packages = await lockedPackages();
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

test.describe('a project without installed dependencies', () => {
  const elsewhere = process.platform === 'darwin' ? 'linux' : 'darwin';
  let project: string;

  function run(command: string, ...args: readonly string[]) {
    return spawnSync(command, args, { cwd: project, encoding: 'utf8', timeout: 120_000 });
  }

  const runBootstrap = () => run(process.execPath, 'scripts/bootstrap.mjs');

  async function packPackage(name: string, manifest: object, files: Readonly<Record<string, string>> = {}) {
    const folder = join(project, 'package');
    await mkdir(join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
    for (const [file, content] of Object.entries(files))
      await writeFile(join(folder, file), content, { mode: 0o755 });
    run('tar', 'czf', `${name}.tgz`, 'package');
    await rm(folder, { recursive: true });
    return { [name]: `file:${name}.tgz` };
  }

  test.beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), 'install-'));
    for (const file of ['scripts/bootstrap.mjs', '.npmrc'])
      await cp(join(projectDirectory, file), join(project, file));
    const bin = { node: 'bin/node' };
    const here = await packPackage(
      'node-here',
      { bin, os: process.platform },
      { 'bin/node': '#!/bin/sh\necho here' },
    );
    const there = await packPackage('node-there', { bin, os: elsewhere }, { 'bin/node': '' });
    const scripts = { install: `echo > ${join(project, 'ran')}` };
    const withScript = await packPackage('with-script', { scripts });
    // By this package, bootstrap.mjs tells whether npm has installed `devDependencies`.
    const turbo = await packPackage('turbo', {});
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({
        dependencies: withScript,
        devDependencies: turbo,
        optionalDependencies: { ...here, ...there },
        allowScripts: { 'with-script': true },
      }),
    );
    run('npm', 'install', '--package-lock-only', '--offline');
  });

  test.afterEach(() => removeDirectory(project));

  test('install: runs no package scripts, and npm scripts find the Node.js for this platform', async () => {
    expect(runBootstrap()).toMatchObject({ status: 0, stderr: '' });
    await expect(realpath(join(project, 'node_modules', 'with-script'))).resolves.toBeTruthy();
    await expect(realpath(join(project, 'ran'))).rejects.toThrow('ENOENT');
    const found = () => run('node_modules/.bin/node').stdout;
    expect(found()).toBe('here\n');
    // As npm before 11.19 leaves it.
    await rm(join(project, 'node_modules', '.bin', 'node'));
    expect(runBootstrap()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(found()).toBe('here\n');
  });

  test('install: an interrupted or incomplete installation is repeated', async () => {
    const lock = join(project, 'package-lock.json');
    const original = await readFile(lock);
    runBootstrap();
    await appendFile(lock, '\n');
    // Without npm on its PATH, it fails. From then on, nothing counts as installed, not even with the lockfile of before.
    const interrupted = { cwd: project, env: { PATH: join(project, 'nothing') } };
    expect(spawnSync(process.execPath, ['scripts/bootstrap.mjs'], interrupted).status).toBe(1);
    await writeFile(lock, original);
    expect(runBootstrap()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^install:/) });

    // With Node.js 24 or newer, it would do without the package that has Node.js.
    const older = 'Object.defineProperty(process, "versions", { value: { node: "20.0.0" } })';
    await rm(join(project, 'node_modules', 'node-here'), { recursive: true });
    const args = ['--import', `data:text/javascript,${older}`, 'scripts/bootstrap.mjs'];
    expect(run(process.execPath, ...args)).toMatchObject({ status: 0, stderr: '' });
    expect(run('node_modules/.bin/node').stdout).toBe('here\n');
  });
});
