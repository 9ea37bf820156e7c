import { PackingError } from './packing-error.ts';

type Target = string | Readonly<Record<string, string>>;

/** The fields of `package.json` that packing reads. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** Missing in a package of programs, which are bundled. */
  readonly exports?: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** Further files to compile, or patterns of them, which others start by their path. npm's field would list files to pack. */
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const typescriptExtension = /(?<!\.d)\.tsx?$/;

/** Files and patterns to compile or copy, relative to the package's folder. */
export function sourcesOf({ exports = {}, bin = {}, files = [] }: PackageManifest): readonly string[] {
  const exported = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return [...exported, ...Object.values(bin), ...files];
}

/** Fields for work in this repository only. */
const internalFields = ['private', 'scripts', 'devDependencies', 'files'];

/** Manifest of the packed package: names JavaScript and declarations instead of TypeScript. */
export function packedManifest(manifest: PackageManifest): object {
  const { name, license, dependencies = {}, exports, bin } = manifest;
  if (license === undefined) throw new PackingError(`${name} has no "license". Add it to its package.json.`);
  const inexact = Object.entries(dependencies).find(([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range));
  if (inexact) {
    const [dependency, range] = inexact;
    throw new PackingError(`${name} depends on ${dependency} "${range}". Pin an exact version.`);
  }
  const kept = Object.entries(manifest).filter(([field]) => !internalFields.includes(field));
  return {
    ...Object.fromEntries(kept),
    ...(exports && {
      exports: mapValues(exports, (target) =>
        // Targets by condition state their own `types`.
        typeof target === 'string' ? packedTarget(target) : mapValues(target, scriptOf),
      ),
    }),
    ...(bin && {
      bin: exports ? mapValues(bin, scriptOf) : mapValues(bin, (_source, name) => programFile(name)),
    }),
  };
}

/** File of a bundled program. */
export const programFile = (name: string): string => `${name}.js`;

function packedTarget(source: string): Target {
  return typescriptExtension.test(source)
    ? { types: source.replace(typescriptExtension, '.d.ts'), default: scriptOf(source) }
    : source;
}

function scriptOf(source: string): string {
  return source.replace(typescriptExtension, '.js');
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
