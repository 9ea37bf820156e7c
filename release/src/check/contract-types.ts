import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { contractFolder } from '@countersign/contracts/part-manifest';
import type { PartName, RemoteName } from '@countersign/contracts/remotes';
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
  const complaints = await compile(files, remotes.map(questionOf));
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

/** File → what the compiler has to say of it. */
async function compile(
  files: ReadonlyMap<string, string>,
  roots: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  // Slow to load, and needed by no other command.
  const { default: typescript } = await import('typescript');
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    target: typescript.ScriptTarget.ES2023,
    types: [],
    typeRoots: [dirname(createRequire(import.meta.url).resolve('@types/react/package.json'))],
  };
  const host = typescript.createCompilerHost(options);
  const { fileExists, readFile, directoryExists, getSourceFile } = host;
  const folders = new Set([...files.keys()].flatMap((file) => [dirname(file), root]));
  Object.assign(host, {
    fileExists: (path: string) => files.has(path) || fileExists(path),
    readFile: (path: string) => files.get(path) ?? readFile(path),
    directoryExists: (path: string) => folders.has(path) || (directoryExists?.(path) ?? true),
    getSourceFile: (path: string, version: Parameters<typeof getSourceFile>[1]) => {
      const text = files.get(path);
      return text === undefined
        ? getSourceFile(path, version)
        : typescript.createSourceFile(path, text, version);
    },
  });
  const program = typescript.createProgram([...roots], options, host);
  return new Map(
    roots.map((path) => {
      const source = program.getSourceFile(path);
      const diagnostics = source ? program.getSemanticDiagnostics(source) : [];
      const complaints = diagnostics.map(({ messageText }) =>
        typescript
          .flattenDiagnosticMessageText(messageText, '\n')
          .split('\n')
          .map((line) => line.trim())
          .slice(-1)
          .join(' '),
      );
      return [path, complaints] as const;
    }),
  );
}
