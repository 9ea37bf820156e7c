import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { config } from '../config.ts';
import { projectDirectory, removeDirectory, run } from '../site/running-site.ts';

/** Folders of the packages that the example installs. */
const packedFolders = ['packages/contracts', 'packages/design-tokens', 'packages/webpack-config'];

type Dependencies = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
}

interface PackageLock {
  /** Folder → installed package. */
  readonly packages: Readonly<Record<string, { readonly link?: boolean }>>;
}

interface PackedPackage {
  /** Folder of the sources in this project. */
  readonly folder: string;
  /** The tarball, as `package.json` names it. */
  readonly resolved: string;
  readonly manifest: Manifest;
}

/** The example part in a repository of its own, with its dependencies installed. Disposing of it removes the folder. */
export interface OtherRepository extends AsyncDisposable {
  readonly folder: string;
  /** Environment variables for its commands, which find none of this project's. */
  readonly variables: Readonly<Record<string, string>>;
  /** Runs one of its npm scripts. Rejects with the output if it fails. */
  runScript(name: string): Promise<void>;
}

/**
 * Copies the example to a folder outside of this project, and installs its dependencies there, with the packed packages of this
 * project among them.
 */
export async function createOtherRepository(): Promise<OtherRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'other-repository-'));
  const variables = { PATH: pathWithoutProject() };
  const runNpm = async (...args: readonly string[]) => {
    await run('npm', args, { cwd: folder, variables });
  };
  try {
    await cp(join(projectDirectory, 'e2e/examples/pricing-repository'), folder, { recursive: true });
    const packed = await Promise.all(packedFolders.map((source) => packPackage(source, folder)));
    await lockDependencies(folder, packed);
    await runNpm('install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts');
  } catch (error) {
    await removeDirectory(folder);
    throw error;
  }
  return {
    folder,
    variables,
    runScript: (name) => runNpm('run', name),
    [Symbol.asyncDispose]: () => removeDirectory(folder),
  };
}

/** The folders of commands, with this Node.js, and without the commands of this project's dependencies. */
function pathWithoutProject(): string {
  const others = config.path.split(':').filter((entry) => !entry.startsWith(projectDirectory));
  return [dirname(process.execPath), ...others].join(':');
}

/** Packs a package as `npm run pack` does. */
async function packPackage(folder: string, target: string): Promise<PackedPackage> {
  const cwd = join(projectDirectory, folder);
  const tarball = await run(process.execPath, ['../packing/src/pack.ts', target], { cwd });
  const manifest = await run('tar', ['xzOf', tarball.trim(), 'package/package.json']);
  return { folder, resolved: `file:${tarball.trim()}`, manifest: JSON.parse(manifest) as Manifest };
}

/**
 * Installs the tarballs in place of versions from a registry, and all other packages in the versions that this project has
 * locked, so that the test does not change with the registry.
 */
async function lockDependencies(folder: string, packed: readonly PackedPackage[]): Promise<void> {
  const [lock, manifest] = await Promise.all([
    readJson<PackageLock>(join(projectDirectory, 'package-lock.json')),
    readJson<Manifest>(join(folder, 'package.json')),
  ]);
  const withTarballs = (dependencies: Dependencies = {}) => {
    const tarballs = packed.map(({ manifest: { name }, resolved }) => [name, resolved] as const);
    return Object.fromEntries([
      ...Object.entries(dependencies),
      ...tarballs.filter(([name]) => Object.hasOwn(dependencies, name)),
    ]);
  };
  const root = {
    ...manifest,
    dependencies: withTarballs(manifest.dependencies),
    devDependencies: withTarballs(manifest.devDependencies),
  };
  const installed = Object.entries(lock.packages).flatMap(([place, entry]) => {
    const owner = packed.find((one) => place.startsWith(`${one.folder}/node_modules/`));
    if (owner) return [[place.replace(owner.folder, `node_modules/${owner.manifest.name}`), entry] as const];
    return place.startsWith('node_modules/') && entry.link !== true ? [[place, entry] as const] : [];
  });
  const packages = {
    '': root,
    // Before the packages inside of them, because npm loses those otherwise.
    ...Object.fromEntries(
      packed.map(({ manifest: own, resolved }) => [`node_modules/${own.name}`, { ...own, resolved }]),
    ),
    ...Object.fromEntries(installed),
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(root));
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, name: manifest.name, packages }),
  );
}

async function readJson<Content>(file: string): Promise<Content> {
  return JSON.parse(await readFile(file, 'utf8')) as Content;
}
