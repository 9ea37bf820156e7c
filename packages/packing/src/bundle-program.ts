import { readdirSync, readFileSync } from 'node:fs';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import typescript from 'typescript';
import webpack, { type Compilation, type Configuration, type LoaderDefinition } from 'webpack';
import { PackingError } from './packing-error.ts';

/** A program in one file. */
interface BundledProgram {
  readonly code: string;
  /** Licences of the packages in it. */
  readonly licenses: string;
}

/**
 * Bundles a program with everything that it imports, so that it installs without dependencies. A module of this repository whose exports
 * are not used is left out, with all that it imports: it must do nothing else.
 *
 * @param entry absolute path of its source
 */
export async function bundleProgram(entry: string): Promise<BundledProgram> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bundling-'));
  const { fileDependencies } = await compile(configFor(entry, folder.path));
  return {
    code: await readFile(join(folder.path, 'program.js'), 'utf8'),
    licenses: licensesOf([...fileDependencies]),
  };
}

function configFor(entry: string, path: string): Configuration {
  return {
    mode: 'production',
    // That of the packages' "engines".
    target: 'node22.18',
    entry,
    output: { path, filename: 'program.js', module: true, chunkFormat: 'module' },
    experiments: { outputModule: true },
    // Readers of an installed program see what it does.
    optimization: { minimize: false },
    module: {
      parser: { javascript: { dynamicImportMode: 'eager', importMeta: false } },
      rules: [{ test: /\.ts$/, loader: import.meta.filename, sideEffects: false }],
    },
    plugins: [new webpack.BannerPlugin({ banner: '#!/usr/bin/env node', raw: true })],
  };
}

async function compile(config: Configuration): Promise<Compilation> {
  const compiler = webpack(config);
  try {
    return await new Promise((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error) reject(error);
        else if (!stats || stats.hasErrors())
          reject(new PackingError(String(stats?.toString('errors-only'))));
        else resolve(stats.compilation);
      });
    });
  } finally {
    await new Promise((resolve) => compiler.close(resolve));
  }
}

/** Names and licence texts of the packages that files belong to. */
function licensesOf(files: readonly string[]): string {
  const pattern = new RegExp(`^.*\\${sep}node_modules\\${sep}(?:@[^\\${sep}]+\\${sep})?[^\\${sep}]+`);
  const modules = files.filter((file) => /\.[cm]?js$/.test(file));
  const folders = new Set(modules.flatMap((file) => pattern.exec(file) ?? []));
  return [...folders]
    .sort()
    .map((folder) => {
      const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
      const { name, version, license } = JSON.parse(manifest) as Record<string, string>;
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
      return `${name} ${version}: ${license}\n${text}`;
    })
    .join('\n');
}

/** The loader of {@link bundleProgram}. Type checking is the job of the `typecheck` task. */
const removeTypes: LoaderDefinition = function removeTypes(source) {
  const { ScriptTarget, ModuleKind } = typescript;
  const compilerOptions = {
    target: ScriptTarget.ES2023,
    module: ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  };
  return typescript.transpileModule(source, { compilerOptions }).outputText;
};

export default removeTypes;
