import type { Journeys } from '@countersign/contracts/journeys';
import { developmentFolder } from '@countersign/contracts/part-manifest';
import type { SizeBudget } from '@countersign/contracts/remotes';
import webpack, { type Compiler, type Configuration } from 'webpack';
import { baseConfig, type PartBuild } from '../base/base-config.ts';
import { contractDeclarations } from './contract-declarations.ts';
import { emitFiles } from '../base/emit-files.ts';
import { emitPartManifest } from './emit-part-manifest.ts';
import { emitSeparateBuild } from './emit-separate-build.ts';
import { sharedByShell } from '../base/shared-modules.ts';
import { sourceFile } from '../base/source-file.ts';

interface ShellBuild extends PartBuild {
  /** Additional files by name: HTML templates and public files. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Size budget. The pre-deploy check refuses a version that exceeds it. */
  readonly budget: SizeBudget;
  /** Journeys of visitors, from its `journeys.ts`. The pre-deploy check follows them in a browser. */
  readonly journeys?: Journeys;
}

const entryName = 'shell';
const entryModule = './src/main.tsx';

/** Creates the webpack configuration of the shell: the federation host. */
export function createShellConfig({ files, budget, journeys, ...build }: ShellBuild): Configuration {
  const base = baseConfig(build, `${entryName}@${build.version}`);
  return {
    ...base,
    entry: { [entryName]: entryModule },
    // HTML is not minified, because the composer's markers are comments.
    optimization: { minimizeOptions: { html: false } },
    plugins: [
      ...(base.plugins ?? []),
      federationRuntimeOptions(),
      compileAtOnce(),
      (compiler: Compiler) => emitFiles(compiler, { ...files, ...contractDeclarations(build.root) }),
      (compiler: Compiler) =>
        emitPartManifest(compiler, {
          name: 'shell',
          version: build.version,
          entryName,
          exposes: {},
          budget,
          ...(journeys && { journeys }),
          shared: sharedByShell(),
        }),
      // Teams without the shell's sources have Fast Refresh in the live page, too.
      (compiler: Compiler) =>
        emitSeparateBuild(compiler, developmentFolder, createDevelopmentShellConfig(build)),
    ],
  };
}

/**
 * Tells Chromium to compile all functions of the script when it loads, on another thread. Otherwise it compiles most of React
 * function by function on the main thread, while the page hydrates. To other browsers it is a comment.
 */
function compileAtOnce() {
  return new webpack.BannerPlugin({
    raw: true,
    test: /\.js$/,
    entryOnly: true,
    banner: '//# allFunctionsCalledOnLoad',
    // After the minifier, which would remove it, and before source maps and hashes.
    stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
  });
}

/** Options of the federation runtime that leave out its code for Node, and for manifests, which the page does not use. */
function federationRuntimeOptions() {
  return new webpack.DefinePlugin({
    ENV_TARGET: JSON.stringify('web'),
    FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
  });
}

/**
 * Creates the webpack configuration of the shell for the development server: one file, with React's development build.
 * `version` must be that of the page that it runs in, because class names equal those of the styles in that page.
 */
export function createDevelopmentShellConfig(build: PartBuild): Configuration {
  const base = baseConfig(build, `${entryName}@${build.version}`, { extractStyles: false });
  return {
    ...base,
    devtool: false,
    entry: { [entryName]: [sourceFile('browser/refresh-runtime'), entryModule] },
    output: { ...base.output, filename: '[name].js' },
    optimization: { nodeEnv: 'development', minimize: false },
    plugins: [
      ...(base.plugins ?? []),
      federationRuntimeOptions(),
      new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 }),
    ],
  };
}
