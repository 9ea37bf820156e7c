import { execFile } from 'node:child_process';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { contractFolder } from '@countersign/contracts/part-manifest';
import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Rule } from './violation.ts';

/**
 * Type-checks the props that the shell passes against the props that each remote accepts. A part's props come from the
 * declarations of the contract that it was built with, which are stored with it.
 */
export const contractTypes: Rule = async ({ store, next }, remotes) => {
  if (remotes.length === 0) return [];
  const shell = { part: 'shell', version: next.shell.version } as const;
  const files = new Map<string, string>();
  const violations: string[] = [];
  for (const version of [shell, ...remotes]) {
    const declarations = await readDeclarations(store, version);
    for (const [name, text] of declarations) files.set(`${folderOf(version)}/${name}`, text);
    if (declarations.size > 0) continue;
    violations.push(
      `${version.part} ${version.version} does not contain its contract. Build and publish it again.`,
    );
  }
  if (violations.length > 0) return violations;
  for (const remote of remotes) files.set(assertionFile(remote), typeAssertion(remote, folderOf(shell)));
  const errors = await compile(files, remotes.map(assertionFile));
  // An error elsewhere, such as in the syntax of a declaration, may hide that types are incompatible.
  const other = errors.find((error) => !remotes.some((remote) => isAbout(remote, error)));
  if (other) return [`A contract cannot be compiled: ${other.trim()} Build and publish its part again.`];
  return remotes.flatMap((remote) =>
    errors
      .filter((error) => isAbout(remote, error))
      .map(
        (error) =>
          `${remote.part} ${remote.version} and shell ${shell.version} were built with incompatible contracts: ${reasonOf(error)} Rebuild the older of the two.`,
      ),
  );
};

/** A path of declarations, which cannot lead out of its folder. */
const declarationFile = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.d\.ts$/;

/** Reads the contract that a stored version was built against: file in its folder → text. Empty if the version carries none. */
async function readDeclarations(
  store: ReleaseStore,
  { part, version }: ReferencedVersion,
): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys((await store.hashesOf(part, version)) ?? {})
    .filter((file) => file.startsWith(contractFolder))
    .map((file) => file.slice(contractFolder.length))
    .filter((name) => declarationFile.test(name));
  const texts = names.map((name) => store.readFile(part, version, `${contractFolder}${name}`));
  return new Map((await Promise.all(texts)).map((text, index) => [names[index] ?? '', text]));
}

const folderOf = ({ part, version }: ReferencedVersion) => `${part}@${version}`;
const assertionFile = (remote: ReferencedVersion) => `${folderOf(remote)}/type-assertion.ts`;
const isAbout = (remote: ReferencedVersion, error: string) => error.startsWith(`${assertionFile(remote)}(`);

/** Compiles only if the remote accepts the shell's props of each component in both contracts, each of which has a `remotes.d.ts`. */
function typeAssertion({ part }: ReferencedVersion, shellFolder: string): string {
  const name = JSON.stringify(part);
  return `import type { ComponentType } from 'react';
import type { RemoteModules as RemoteContract } from './remotes';
import type { RemoteModules as ShellContract } from '../${shellFolder}/remotes';
type Props<Module> = Module extends { default: ComponentType<infer Props> } ? Props : never;
type PropsOf<Modules> = { [Key in keyof Modules]: Props<Modules[Key]> };
declare const passed: PropsOf<ShellContract[${name}]>;
type SharedKey = keyof ShellContract[${name}] & keyof RemoteContract[${name}];
export const accepted: Pick<PropsOf<RemoteContract[${name}]>, SharedKey> = passed;
`;
}

const { resolve } = createRequire(import.meta.url);

/** Type-checks files in a temporary folder. Returns the errors. Each begins with its file; the compiler indents its further lines. */
async function compile(files: ReadonlyMap<string, string>, roots: readonly string[]): Promise<string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'contracts-'));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2023' },
    paths: { react: [join(dirname(resolve('@types/react/package.json')), 'index.d.ts')] },
  };
  const configuration = JSON.stringify({ compilerOptions, files: roots });
  for (const [name, text] of [...files, ['tsconfig.json', configuration] as const]) {
    const path = join(folder.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const compiler = join(dirname(resolve('@typescript/native/package.json')), 'bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--pretty', 'false'], {
    cwd: folder.path,
  }).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error;
    return { stdout: error.stdout };
  });
  return stdout.split(/^(?=\S)/m).filter((error) => error !== '');
}

/** The innermost of the reasons that the compiler gives. */
function reasonOf(error: string): string {
  const [last = ''] = error.trim().split('\n').slice(-1);
  return last.replace(/^.*? error TS\d+: /, '').trim();
}
