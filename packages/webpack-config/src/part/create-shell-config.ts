import type { Journeys } from '@countersign/contracts/journeys';
import { developmentFolder, runtimeCoreFolder } from '@countersign/contracts/part-manifest';
import type { SizeBudget } from '@countersign/contracts/size-budget';
import webpack, { type Compiler, type Configuration } from 'webpack';
import { baseConfig, type PartBuild } from '../base/base-config.ts';
import { contractDeclarations } from './contract-declarations.ts';
import { emitFiles } from '../base/emit-files.ts';
import { PartManifestPlugin } from './part-manifest-plugin.ts';
import { SeparateBuildPlugin } from './separate-build-plugin.ts';
import { sharedByShell } from '../base/shared-modules.ts';
import { sourceFile } from '../base/source-file.ts';

interface ShellBuild extends PartBuild {
  /** Additional files by name: HTML templates and public files. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Size budget. The pre-deploy check refuses a version that exceeds it. */
  readonly budget: SizeBudget;
  /** What the shell promises its visitors, from its `journeys.ts`. */
  readonly journeys?: Journeys;
}

const entryName = 'shell';
const entryModule = './src/main.tsx';
const runtimeCoreModule = './src/federation/runtime-core.ts';

/**
 * Creates the webpack configuration of the shell. It needs no federation plugin, because it shares modules and registers
 * remotes at run time, with the federation runtime alone.
 */
export function createShellConfig({ files, budget, journeys, ...build }: ShellBuild): Configuration {
  const base = baseConfig(build, `${entryName}@${build.version}`);
  const separateBuilds = [
    // Teams without the shell's sources have Fast Refresh in the live page, too.
    new SeparateBuildPlugin(developmentFolder, createDevelopmentShellConfig(build)),
    new SeparateBuildPlugin(runtimeCoreFolder, createRuntimeCoreConfig(build)),
  ];
  return {
    ...base,
    entry: { [entryName]: entryModule },
    // HTML is not minified, because the composer's markers are comments.
    optimization: { minimizeOptions: { html: false } },
    plugins: [
      ...(base.plugins ?? []),
      ...smallerFederationRuntime(),
      compileAtOnce(),
      (compiler: Compiler) => emitFiles(compiler, { ...files, ...contractDeclarations(build.root) }),
      new PartManifestPlugin({
        name: 'shell',
        version: build.version,
        entryName,
        exposes: {},
        budget,
        ...(journeys && { journeys }),
        shared: sharedByShell(),
      }),
      ...separateBuilds,
    ],
  };
}

function createRuntimeCoreConfig(build: PartBuild): Configuration {
  const base = baseConfig(build, `${entryName}-runtime-core@${build.version}`);
  return {
    ...base,
    devtool: false,
    entry: { 'runtime-core': runtimeCoreModule },
    plugins: [...(base.plugins ?? []), withoutCodeForNode()],
  };
}

/** Leaves out the federation runtime's code for Node. Further options leave out more of it. */
function withoutCodeForNode(options: Readonly<Record<string, boolean>> = {}) {
  return new webpack.DefinePlugin({ ENV_TARGET: JSON.stringify('web'), ...options });
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

/**
 * Leaves out what the shell does not need of the federation runtime: its code for Node, manifests, preloads and the negotiation
 * of shared modules, its logger and the texts of its errors. Of these, the options remove only the code for Node and the
 * negotiation, so modules are replaced as well.
 */
function smallerFederationRuntime() {
  const leftOut = sourceFile('browser/left-out-of-runtime');
  return [
    withoutCodeForNode({
      FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
      FEDERATION_OPTIMIZE_NO_SHARED: true,
    }),
    ...[/\/snapshot\/SnapshotHandler\.js$/, /\/utils\/preload\.js$/, /^\.\/desc\.mjs$/].map(
      (module) => new webpack.NormalModuleReplacementPlugin(module, leftOut),
    ),
    // The runtime's core has another module of this name, which throws its errors.
    new webpack.NormalModuleReplacementPlugin(/^\.\/logger\.js$/, (module) => {
      if (/[\\/]sdk[\\/]dist$/.test(module.context)) module.request = leftOut;
    }),
  ];
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
      ...smallerFederationRuntime(),
      new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 }),
    ],
  };
}
