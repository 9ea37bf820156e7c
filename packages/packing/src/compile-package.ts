import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import typescript from 'typescript';
import { PackingError } from './packing-error.ts';

/** Path of a file relative to the package's folder → its text. */
type PackageFiles = ReadonlyMap<string, string>;

const formatHost: typescript.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
};

/**
 * Compiles files of a package, and the files of the package that they import, to JavaScript and declarations. Node.js does
 * not strip types below `node_modules`. Files other than TypeScript, such as stylesheets, stay as they are.
 *
 * @param folder absolute path of the package's folder
 * @param roots files or patterns, relative to the folder
 */
export function compilePackage(folder: string, roots: readonly string[]): PackageFiles {
  const configFile = join(folder, 'tsconfig.json');
  const read = typescript.readConfigFile(configFile, (path) => typescript.sys.readFile(path));
  const { options } = typescript.parseJsonConfigFileContent(read.config, typescript.sys, folder);
  const names = roots.flatMap((root) => findFiles(folder, root));
  const isCode = (name: string) => /\.tsx?$/.test(name);
  const program = typescript.createProgram(names.filter(isCode), {
    ...options,
    composite: false,
    incremental: false,
    declaration: true,
    emitDeclarationOnly: false,
    rewriteRelativeImportExtensions: true,
    // Imported packages are compiled from their sources here, which are outside of the folder. Only its own files are kept.
    rootDir: dirname(folder),
    outDir: dirname(folder),
    noEmitOnError: true,
  });
  const errors = typescript.getPreEmitDiagnostics(program);
  if (errors.length > 0) throw new PackingError(typescript.formatDiagnostics(errors, formatHost).trim());
  const others = names.filter((name) => !isCode(name));
  const files = new Map(others.map((name) => [relative(folder, name), readFileSync(name, 'utf8')]));
  for (const source of program.getSourceFiles()) {
    const name = relative(folder, source.fileName);
    if (name.startsWith('..') || name.startsWith('node_modules/')) continue;
    if (source.isDeclarationFile) files.set(name, source.text);
    else program.emit(source, (path, text) => void files.set(relative(folder, path), emitted(path, text)));
  }
  return files;
}

function findFiles(folder: string, pattern: string): readonly string[] {
  const names = globSync(pattern, { cwd: folder });
  if (names.length === 0) {
    throw new PackingError(
      `${folder} has no file ${pattern}. Correct "exports", "bin" or "files" in its package.json.`,
    );
  }
  return names.map((name) => join(folder, name));
}

/** Declarations keep the `.ts` of relative imports, which `moduleResolution: nodenext` resolves in sources only. */
function emitted(path: string, text: string): string {
  return path.endsWith('.d.ts')
    ? text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.tsx?\2/g, '$1$2$3.js$2')
    : text;
}
