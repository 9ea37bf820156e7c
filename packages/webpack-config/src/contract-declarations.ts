import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractFolder } from '@countersign/contracts/part-manifest';
import typescript from 'typescript';

/**
 * The declarations of what shell and remotes agree on, as they are at this moment: path in a part's folder → text. With
 * them, a release can be checked against parts that were built from another state of the contract.
 */
export function contractDeclarations(): Record<string, string> {
  const root = fileURLToPath(import.meta.resolve('@countersign/contracts/remotes'));
  const program = typescript.createProgram([root], {
    target: typescript.ScriptTarget.ES2023,
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    declaration: true,
    emitDeclarationOnly: true,
    // The types are checked where they are written.
    noCheck: true,
    rootDir: dirname(root),
    strict: true,
  });
  const declarations: Record<string, string> = {};
  program.emit(undefined, (path, text) => {
    // Beside a declaration there is no source to import.
    declarations[join(contractFolder, basename(path))] = text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1'");
  });
  return declarations;
}
