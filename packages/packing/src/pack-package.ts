import { execFile } from 'node:child_process';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle-program.ts';
import { compilePackage } from './compile-package.ts';
import { packedManifest, programFile, sourcesOf, type PackageManifest } from './package-manifest.ts';
import { PackingError } from './packing-error.ts';

const run = promisify(execFile);

/** Licence of this repository, which every package gets. */
const license = join(import.meta.dirname, '..', '..', '..', 'LICENSE');

/**
 * Packs a package for other repositories: JavaScript and declarations of everything that it exports, its README and the
 * licence. A package without exports is a program, and becomes one file. Equal sources give equal bytes.
 *
 * @param folder absolute path of the package's folder
 * @param target folder for the tarball
 * @returns path of the tarball
 */
export async function packPackage(folder: string, target: string): Promise<string> {
  const manifest = await readManifest(folder);
  const readme = await readReadme(folder);
  const files = new Map([
    ...(manifest.exports
      ? compilePackage(folder, sourcesOf(manifest))
      : await bundlePrograms(folder, manifest)),
    ['package.json', `${JSON.stringify(packedManifest(manifest), null, 2)}\n`],
    ['README.md', readme],
    ['LICENSE', await readFile(license, 'utf8')],
  ]);
  await using staged = await mkdtempDisposable(join(tmpdir(), 'packing-'));
  for (const [name, text] of files) {
    await mkdir(dirname(join(staged.path, name)), { recursive: true });
    await writeFile(join(staged.path, name), text);
  }
  await mkdir(target, { recursive: true });
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const { stdout } = await run('npm', words, { cwd: staged.path });
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  return join(target, packed?.filename ?? '');
}

async function bundlePrograms(folder: string, { bin = {} }: PackageManifest) {
  const bundled = Object.entries(bin).map(async ([name, source]) => {
    const { code, licenses } = await bundleProgram(join(folder, source));
    return [
      [programFile(name), code],
      [`${name}.licenses.txt`, licenses],
    ] as const;
  });
  return (await Promise.all(bundled)).flat();
}

async function readManifest(folder: string): Promise<PackageManifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageManifest;
}

async function readReadme(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, 'README.md'), 'utf8');
  } catch (cause) {
    throw new PackingError(`${folder} has no README.md. Describe there what the package is for.`, { cause });
  }
}
