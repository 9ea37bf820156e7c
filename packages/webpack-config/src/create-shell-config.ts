import type { SizeBudget } from '@countersign/contracts/size-budget';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import type { Compiler, Configuration } from 'webpack';
import { baseConfig, type PartBuild } from './base-config.ts';
import { contractDeclarations } from './contract-declarations.ts';
import { emitFiles } from './emit-files.ts';
import { PartManifestPlugin } from './part-manifest-plugin.ts';
import { providedByShell, sharedByShell } from './shared-modules.ts';

interface ShellBuild extends PartBuild {
  /** Additional files by name: HTML templates and public files. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Size budget. The pre-deploy check refuses a version that exceeds it. */
  readonly budget: SizeBudget;
}

const entryName = 'shell';

/**
 * Creates the webpack configuration of the shell. It provides the shared modules and names no remotes, which
 * are registered at run time.
 */
export function createShellConfig({ files, budget, ...build }: ShellBuild): Configuration {
  const base = baseConfig(build, `${entryName}@${build.version}`);
  return {
    ...base,
    entry: { [entryName]: './src/main.tsx' },
    // HTML is not minified, because the composer's markers are comments.
    optimization: { minimizeOptions: { html: false } },
    plugins: [
      ...(base.plugins ?? []),
      new ModuleFederationPlugin({
        name: entryName,
        shared: providedByShell,
        shareStrategy: 'loaded-first',
        manifest: false,
        dts: false,
        experiments: { optimization: { disableSnapshot: true, target: 'web' } },
      }),
      (compiler: Compiler) => emitFiles(compiler, { ...files, ...contractDeclarations() }),
      new PartManifestPlugin({
        name: 'shell',
        version: build.version,
        entryName,
        exposes: {},
        budget,
        shared: sharedByShell(),
      }),
    ],
  };
}
