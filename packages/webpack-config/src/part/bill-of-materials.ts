import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Compilation, Module } from 'webpack';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
}

/** A single licence of SPDX, or an expression in parentheses. */
const spdxExpression = /^(?:[\w.+-]+|\(.*\))$/;

/**
 * The software bill of materials of a part in CycloneDX's JSON: the packages with a module in its scripts and styles, and webpack,
 * whose runtime is in each script. The same code has the same text, because there is no time or serial number in it.
 *
 * @param root folder of the part, which is the subject and no component
 */
export function billOfMaterials(
  part: { readonly name: string; readonly version: string; readonly root: string },
  compilations: readonly Compilation[],
): object {
  const files = [fileURLToPath(import.meta.resolve('webpack')), ...compilations.flatMap(sourceFiles)];
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
  folders.delete(part.root);
  const components = [...folders].map((folder) => componentOf(readPackage(folder)));
  const unique = new Map(components.map((component) => [component['bom-ref'], component]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        'bom-ref': `${part.name}@${part.version}`,
        type: 'application',
        name: part.name,
        version: part.version,
      },
    },
    components: [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component),
  };
}

/** Files of the modules in the chunks of a build. */
function sourceFiles({ chunks, chunkGraph }: Compilation): readonly string[] {
  const modules = [...chunks].flatMap((chunk) => [...chunkGraph.getChunkModulesIterable(chunk)]);
  return modules
    .flatMap((module) => (isConcatenated(module) ? module.modules : [module]))
    .flatMap((module) => module.nameForCondition() ?? []);
}

/** Whether a module consists of others, which webpack has joined. Its class is not part of webpack's types. */
function isConcatenated(module: Module): module is Module & { readonly modules: readonly Module[] } {
  return 'modules' in module && Array.isArray(module.modules);
}

/** Folder of the package of a file; `undefined` if it is in none. */
function packageFolder(file: string): string | undefined {
  // Folders of an installed package may have a package.json, and even a name, of their own.
  const [, installed] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file) ?? [];
  if (installed !== undefined) return installed;
  const folder = dirname(file);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return folder === file ? undefined : packageFolder(folder);
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
}

function componentOf({ name, version, private: isPrivate, license }: Package) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    ...(license !== undefined && {
      licenses: [spdxExpression.test(license) ? { expression: license } : { license: { name: license } }],
    }),
    // The registry has no such package, or a foreign one of that name.
    ...(!isPrivate && { purl }),
  };
}
