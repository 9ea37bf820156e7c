import { PackingError } from './packing-error.ts';

type Target = string | Readonly<Record<string, string>>;

/** The fields of `package.json` that packing reads. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly exports: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** Files that no export leads to, because others start them by their path. */
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Files to compile, relative to the package's folder. */
export function sourcesOf({ exports, bin = {}, files = [] }: PackageManifest): readonly string[] {
  const targets = [...Object.values(exports), bin];
  return [
    ...targets.flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target))),
    ...files,
  ];
}

/** Fields for work in this repository only. */
const internalFields = ['private', 'scripts', 'devDependencies', 'files'];

/** Manifest of the packed package: names JavaScript and declarations instead of TypeScript. */
export function packedManifest(manifest: PackageManifest): object {
  const { name, license, dependencies = {}, exports, bin = {} } = manifest;
  if (license === undefined) throw new PackingError(`${name} has no "license". Add it to its package.json.`);
  const inexact = Object.entries(dependencies).find(([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range));
  if (inexact) {
    throw new PackingError(`${name} depends on ${inexact.join(' "')}". Pin an exact version.`);
  }
  const kept = Object.entries(manifest).filter(([field]) => !internalFields.includes(field));
  return {
    ...Object.fromEntries(kept),
    exports: mapValues(exports, (target) =>
      typeof target === 'string' ? packedTarget(target) : mapValues(target, scriptOf),
    ),
    ...(Object.keys(bin).length > 0 && { bin: mapValues(bin, scriptOf) }),
  };
}

function packedTarget(source: string): Target {
  return scriptOf(source) === source
    ? source
    : { types: source.replace(typescriptExtension, '.d.ts'), default: scriptOf(source) };
}

const typescriptExtension = /(?<!\.d)\.tsx?$/;

function scriptOf(source: string): string {
  return source.replace(typescriptExtension, '.js');
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
