import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { contractFolder } from '@countersign/contracts/part-manifest';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import type { CompileTask } from './compile-contracts.ts';
import type { Candidate, Finding, Rule } from './finding.ts';
import type { NamedVersion } from '../flip/named-versions.ts';

/**
 * Type-checks what the shell gives against what each remote wants, by the contract that each was built with: everything
 * that a remote asks of its props must be among what the shell hands over, in a fitting shape.
 */
export const contractTypes: Rule = async (candidate, remotes) => {
  const { shell } = candidate.next;
  const files = new Map<string, string>();
  const findings: Finding[] = [];
  for (const { part, version } of [{ part: 'shell' as const, version: shell.version }, ...remotes]) {
    const declarations = await readDeclarations(candidate, part, version);
    for (const [name, text] of declarations) files.set(join(folderOf({ part, version }), name), text);
    if (declarations.size === 0) {
      findings.push({
        rule: 'contract-types',
        part,
        sentence: `${part} ${version} does not say which contract it was built for. Build and publish it anew.`,
      });
    }
  }
  if (findings.length > 0) return findings;
  const shellFolder = folderOf({ part: 'shell', version: shell.version });
  for (const remote of remotes) files.set(questionOf(remote), question(remote, shellFolder));
  const complaints = await compile({ files, roots: remotes.map(questionOf), folder: root });
  return remotes.flatMap((remote) =>
    (complaints.get(questionOf(remote)) ?? []).map((complaint) => ({
      rule: 'contract-types',
      part: remote.part,
      sentence: `${remote.part} ${remote.version} and shell ${shell.version} were built for contracts that do not fit: ${complaint} Build the older of the two anew.`,
    })),
  );
};

async function readDeclarations(
  { store }: Candidate,
  part: PartName,
  version: string,
): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys((await store.hashesOf(part, version)) ?? {}).filter(
    (file) => file.startsWith(contractFolder) && file.endsWith('.d.ts'),
  );
  const texts = await Promise.all(names.map((name) => store.readFile(part, version, name)));
  return new Map(names.map((name, index) => [name.slice(contractFolder.length), texts[index] ?? '']));
}

/** The files exist in memory only, beside this one so that React's types are found. */
const root = join(import.meta.dirname, 'in-memory');
const folderOf = ({ part, version }: NamedVersion) => join(root, `${part}@${version}`);
const questionOf = (remote: NamedVersion) => join(folderOf(remote), 'question.ts');

/** A program that compiles only if the remote can do with what the shell gives it. */
function question({ part }: NamedVersion, shellFolder: string): string {
  const name = JSON.stringify(part satisfies PartName as RemoteName);
  return `import type { ComponentType } from 'react';
import type { RemoteModules as Offered } from './remotes';
import type { RemoteModules as Wanted } from '${shellFolder}/remotes';
type Props<Module> = Module extends { default: ComponentType<infer Props> } ? Props : never;
type PropsOf<Modules> = { [Key in keyof Modules]: Props<Modules[Key]> };
declare const given: PropsOf<Wanted[${name}]>;
export const taken: Pick<PropsOf<Offered[${name}]>, keyof Wanted[${name}] & keyof Offered[${name}]> = given;
`;
}

/** File → what the compiler has to say of it. In a thread of its own, as this one has a page that is rendered to watch. */
async function compile(task: CompileTask): Promise<ReadonlyMap<string, readonly string[]>> {
  const worker = new Worker(new URL('compile-contracts.ts', import.meta.url), { workerData: task });
  const [complaints] = (await once(worker, 'message')) as [ReadonlyMap<string, readonly string[]>];
  return complaints;
}
