import { execFile } from 'node:child_process';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { contractFolder, type PartManifest } from '@countersign/contracts/part-manifest';
import type { ReleaseStore } from '../../store/release-store.ts';
import type { CheckedVersion } from './version-rule.ts';

/**
 * Type-checks the props that the shell passes against the props that a remote accepts. A part's props come from the
 * declarations of the contract that it was built with, which are stored with it.
 *
 * @param timeout limit of the compiler, in milliseconds, which types of a publisher can occupy without end
 */
export const contractTypes = async (
  { store, manifest, shell }: CheckedVersion,
  timeout = 120_000,
): Promise<readonly string[]> => {
  const files = {
    ...(await readDeclarations(store, manifest, 'remote')),
    ...(await readDeclarations(store, shell, 'shell')),
    [assertionFile]: typeAssertion(manifest.name),
  };
  const result = await compile(files, timeout);
  if (result === 'compiles') return [];
  if (result === 'too late') {
    return [
      `cannot be checked with the contract of shell ${shell.version}: the types do not compile within ${timeout / 1000} s. Simplify them, or check again when the machine is idle.`,
    ];
  }
  return [
    `and shell ${shell.version} were built with incompatible contracts: ${result.error} Rebuild the older of the two.`,
  ];
};

/** Reads the contract that a stored version was built against: path below `folder` → text. Empty if the version carries none. */
async function readDeclarations(
  store: ReleaseStore,
  { name, version }: PartManifest,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const files = Object.keys((await store.hashesOf(name, version)) ?? {});
  const texts = files
    .filter((file) => file.startsWith(contractFolder))
    .map(async (file) => [join(folder, file), await store.readFile(name, version, file)] as const);
  return Object.fromEntries(await Promise.all(texts));
}

const assertionFile = 'type-assertion.ts';

/** Compiles only if the remote accepts the shell's props of each component in both contracts. */
function typeAssertion(remote: string): string {
  return `import type { ComponentType } from 'react';
import type { RemoteModules as RemoteContract } from './remote/contract/remotes';
import type { RemoteModules as ShellContract } from './shell/contract/remotes';
type Props<Module> = Module extends { default: ComponentType<infer Props> } ? Props : never;
type PropsOf<Modules> = { [Key in keyof Modules]: Props<Modules[Key]> };
declare const passed: PropsOf<ShellContract['${remote}']>;
type SharedKey = keyof ShellContract['${remote}'] & keyof RemoteContract['${remote}'];
export const accepted: Pick<PropsOf<RemoteContract['${remote}']>, SharedKey> = passed;
`;
}

const { resolve } = createRequire(import.meta.url);

/** Type-checks files. Returns the innermost reason of the first error, if there is one. `too late`: the limit was over. */
async function compile(
  files: Readonly<Record<string, string>>,
  timeout: number,
): Promise<'compiles' | 'too late' | { readonly error: string }> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'contracts-'));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2023' },
    paths: { react: [join(dirname(resolve('@types/react/package.json')), 'index.d.ts')] },
  };
  const configuration = JSON.stringify({ compilerOptions, files: [assertionFile] });
  for (const [name, text] of Object.entries({ ...files, 'tsconfig.json': configuration })) {
    const path = join(folder.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const compiler = join(dirname(resolve('@typescript/native/package.json')), 'bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--pretty', 'false'], {
    ...{ cwd: folder.path, timeout, killSignal: 'SIGKILL' },
  }).catch((error: { stdout?: string; killed?: boolean }) => {
    if (!error.stdout && !error.killed) throw error;
    return error.killed ? { stdout: undefined } : { stdout: error.stdout ?? '' };
  });
  if (stdout === undefined) return 'too late';
  // The compiler indents further lines, of which each is a reason of the one before.
  const [first = ''] = stdout.split(/\n(?=\S)/);
  const [reason = ''] = first.trim().split('\n').slice(-1);
  const error = reason
    .trim()
    .replace(/^type-assertion\.ts\S+ error TS\d+: /, '')
    .replaceAll(`${folder.path}/`, '');
  return error === '' ? 'compiles' : { error };
}
