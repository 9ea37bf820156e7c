/** Worker thread that type-checks in-memory files, and responds with the compiler's diagnostics of each root. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import typescript from 'typescript';

export interface CompileTask {
  /** Path → text. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of the files to check. */
  readonly roots: readonly string[];
  /** Virtual folder of all files. */
  readonly folder: string;
}

parentPort?.postMessage(compile(workerData as CompileTask));

function compile({ files, roots, folder }: CompileTask): ReadonlyMap<string, readonly string[]> {
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
  const folders = new Set([...files.keys()].flatMap((file) => [dirname(file), folder]));
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
      const messages = diagnostics.map(({ messageText }) =>
        typescript
          .flattenDiagnosticMessageText(messageText, '\n')
          .split('\n')
          .map((line) => line.trim())
          .slice(-1)
          .join(' '),
      );
      return [path, messages] as const;
    }),
  );
}
