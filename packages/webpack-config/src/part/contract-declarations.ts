import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { contractFolder } from '@countersign/contracts/part-manifest';
import typescript from 'typescript';

/**
 * Emits the type declarations of the contract: path in a part's folder → text. The pre-deploy check compares
 * them with those of parts that were built against another contract.
 */
export function contractDeclarations(folder: string): Record<string, string> {
  // The part's own contract, which this package may have in another version.
  const root = createRequire(join(folder, 'package.json')).resolve('@countersign/contracts/remotes');
  const program = typescript.createProgram([root], {
    target: typescript.ScriptTarget.ES2023,
    // As in the contracts' own settings: reading the types of the DOM takes longer than all the rest.
    lib: ['lib.es2023.d.ts'],
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    declaration: true,
    emitDeclarationOnly: true,
    // The `typecheck` task of the contracts checks the types.
    noCheck: true,
    rootDir: dirname(root),
    strict: true,
  });
  const declarations: Record<string, string> = {};
  program.emit(undefined, (path, text) => {
    // All files of the contract are in one folder. They import each other without an extension, because the build has no sources.
    declarations[join(contractFolder, basename(path))] = text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1'");
  });
  return declarations;
}
