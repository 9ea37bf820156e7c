import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import typescript from 'typescript';
import { packPackage } from './pack-package.ts';

const packages = join(import.meta.dirname, '..', '..');

interface PackedPackage {
  readonly tarball: string;
  /** Absolute path of the unpacked package. */
  readonly unpacked: string;
  /** Exported modules, as others import them. Declarations of file types are no modules. */
  readonly modules: readonly string[];
}

const folders: string[] = [];
let packed: readonly PackedPackage[];

/** Creates a folder in the package's folder, because its dependencies are found there. */
function temporaryFolder(name: string): string {
  mkdirSync(join(packages, name, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(packages, name, 'dist', 'packing-'));
  folders.push(folder);
  return folder;
}

async function packAndUnpack(name: string): Promise<PackedPackage> {
  const folder = temporaryFolder(name);
  const tarball = await packPackage(join(packages, name), folder);
  execFileSync('tar', ['xzf', tarball, '-C', folder]);
  const unpacked = join(folder, 'package');
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const modules = Object.entries<{ default?: string }>(manifest.exports)
    .filter(([, target]) => target.default?.endsWith('.js'))
    .map(([key]) => key.replace('.', manifest.name));
  return { tarball, unpacked, modules };
}

before(async () => {
  const names = ['contracts', 'design-tokens', 'on-demand', 'tooltip', 'webpack-config'];
  packed = await Promise.all(names.map(packAndUnpack));
});

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test('packed package: contains code, declarations, manifest, README and licence only', () => {
  for (const { unpacked } of packed) {
    const entries = readdirSync(unpacked, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files) {
      const name = file.slice(unpacked.length + 1);
      assert.match(name, /^(package\.json|README\.md|LICENSE|\w+\/.*\.(js|d\.ts|css))$/);
      assert.doesNotMatch(name, /\.test\./);
      const text = readFileSync(file, 'utf8');
      assert(!text.includes(packages), `${name} contains a path of this machine`);
      if (name.includes('/')) assert.doesNotMatch(text, /sourceMappingURL|\bfrom '\.[^']*\.tsx?'/, name);
    }
  }
});

test('packed package: every export loads in Node.js', () => {
  for (const { unpacked, modules } of packed) {
    assert.notEqual(modules.length, 0);
    const imports = modules.map((module) => `import ${JSON.stringify(module)};`).join('\n');
    execFileSync(process.execPath, ['--input-type=module', '--eval', imports], { cwd: unpacked });
  }
});

for (const [kind, module, moduleResolution] of [
  ['bundlers', typescript.ModuleKind.ESNext, typescript.ModuleResolutionKind.Bundler],
  ['Node.js', typescript.ModuleKind.NodeNext, typescript.ModuleResolutionKind.NodeNext],
] as const) {
  test(`packed package: every export has declarations for ${kind}`, () => {
    const roots = packed.map(({ unpacked, modules }) => {
      const file = join(unpacked, 'imports.mts');
      writeFileSync(
        file,
        modules.map((name, index) => `export * as module${index} from '${name}';`).join('\n'),
      );
      return file;
    });
    const target = typescript.ScriptTarget.ES2023;
    const options = { module, moduleResolution, target, types: ['node'], strict: true, noEmit: true };
    const program = typescript.createProgram(roots, options);
    for (const { unpacked, modules } of packed) {
      const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(unpacked));
      assert(own.length > modules.length);
      const errors = own.flatMap((source) => program.getSemanticDiagnostics(source));
      assert.deepEqual(
        errors.map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, ' ')),
        [],
      );
    }
  });
}

test('packed package: the same sources give the same bytes', async () => {
  const again = await packPackage(join(packages, 'tooltip'), temporaryFolder('tooltip'));
  const before = packed.find(({ tarball }) => tarball.includes('tooltip'))?.tarball ?? '';
  assert.deepEqual(readFileSync(again), readFileSync(before));
});

test('packing: a message says why a package cannot be packed', async () => {
  const folder = temporaryFolder('contracts');
  const write = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
  };
  const unlicensed = { name: 'sample', version: '1.0.0', exports: { '.': './sample.ts' } };
  const manifest = { ...unlicensed, license: 'MIT' };
  write('package.json', manifest);
  write('tsconfig.json', { compilerOptions: { strict: true, types: [] } });
  await assert.rejects(packPackage(folder, folder), { message: /has no README\.md\. Describe there/ });
  writeFileSync(join(folder, 'README.md'), '# sample');
  await assert.rejects(packPackage(folder, folder), {
    message: /has no file \.\/sample\.ts\. Correct "exports"/,
  });
  writeFileSync(join(folder, 'sample.ts'), "export const sample: number = 'text';");
  await assert.rejects(packPackage(folder, folder), { message: /sample\.ts.*error TS2322/ });
  writeFileSync(join(folder, 'sample.ts'), 'export const sample = 1;');
  write('package.json', { ...manifest, dependencies: { zod: '^4.0.0' } });
  await assert.rejects(packPackage(folder, folder), {
    message: 'sample depends on zod "^4.0.0". Pin an exact version.',
  });
  write('package.json', unlicensed);
  await assert.rejects(packPackage(folder, folder), {
    message: 'sample has no "license". Add it to its package.json.',
  });
});
