import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { contractFolder } from '@countersign/contracts/part-manifest';
import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import type { ReleaseStore } from '../store/release-store.ts';
import type { CompileTask } from './compile-contracts.ts';
import type { Violation, Rule } from './violation.ts';

/**
 * Type-checks the props that the shell passes against the props that each remote accepts. A part's props come from the
 * declarations of the contract that it was built with, which are stored with it.
 */
export const contractTypes: Rule = async (candidate, remotes) => {
  const { shell } = candidate.next;
  const files = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { part, version } of [{ part: 'shell' as const, version: shell.version }, ...remotes]) {
    const declarations = await readDeclarations(candidate.store, { part, version });
    for (const [name, text] of declarations) files.set(join(folderOf({ part, version }), name), text);
    if (declarations.size === 0) {
      violations.push({
        rule: 'contract-types',
        part,
        message: `${part} ${version} does not contain its contract. Build and publish it again.`,
      });
    }
  }
  if (violations.length > 0) return violations;
  const shellFolder = folderOf({ part: 'shell', version: shell.version });
  for (const remote of remotes) files.set(typeAssertionFile(remote), typeAssertion(remote, shellFolder));
  const diagnostics = await compile({ files, roots: remotes.map(typeAssertionFile), folder: root });
  return remotes.flatMap((remote) =>
    (diagnostics.get(typeAssertionFile(remote)) ?? []).map((diagnostic) => ({
      rule: 'contract-types',
      part: remote.part,
      message: `${remote.part} ${remote.version} and shell ${shell.version} were built with incompatible contracts: ${diagnostic} Rebuild the older of the two.`,
    })),
  );
};

/** Not a name that leads out of the folder. */
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

/** Virtual folder, beside this file so that the compiler resolves React's types. */
const root = join(import.meta.dirname, 'in-memory');
const folderOf = ({ part, version }: ReferencedVersion) => join(root, `${part}@${version}`);
const typeAssertionFile = (remote: ReferencedVersion) => join(folderOf(remote), 'type-assertion.ts');

/** A program that compiles only if the remote accepts the shell's props, for each component that both contracts have. */
function typeAssertion({ part }: ReferencedVersion, shellFolder: string): string {
  const name = JSON.stringify(part);
  return `import type { ComponentType } from 'react';
import type { RemoteModules as RemoteContract } from './remotes';
import type { RemoteModules as ShellContract } from '${shellFolder}/remotes';
type Props<Module> = Module extends { default: ComponentType<infer Props> } ? Props : never;
type PropsOf<Modules> = { [Key in keyof Modules]: Props<Modules[Key]> };
declare const passed: PropsOf<ShellContract[${name}]>;
type SharedKey = keyof ShellContract[${name}] & keyof RemoteContract[${name}];
export const accepted: Pick<PropsOf<RemoteContract[${name}]>, SharedKey> = passed;
`;
}

/** File → its diagnostics. Compiles in a worker thread, because this thread answers the requests of the browser. */
async function compile(task: CompileTask): Promise<ReadonlyMap<string, readonly string[]>> {
  const worker = new Worker(new URL('compile-contracts.ts', import.meta.url), { workerData: task });
  const [diagnostics] = (await once(worker, 'message')) as [ReadonlyMap<string, readonly string[]>];
  return diagnostics;
}
