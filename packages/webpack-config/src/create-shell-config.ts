import type { SizeBudget } from '@countersign/contracts/size-budget';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import type { Compiler, Configuration } from 'webpack';
import { baseConfig, type PartBuild } from './base-config.ts';
import { contractDeclarations } from './contract-declarations.ts';
import { emitFiles } from './emit-files.ts';
import { PartManifestPlugin } from './part-manifest-plugin.ts';
import { providedByShell, sharedByShell } from './shared-modules.ts';

interface ShellBuild extends PartBuild {
  /** Files that webpack does not make, by name: the HTML that the composer completes, and the public files. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** What the shell may weigh. The check before a release refuses a version that is over it. */
  readonly budget: SizeBudget;
}

const entryName = 'shell';

/** The webpack configuration of the shell: it provides the shared modules and knows no remote. */
export function createShellConfig({ files, budget, ...build }: ShellBuild): Configuration {
  const base = baseConfig(build, `${entryName}@${build.version}`);
  return {
    ...base,
    entry: { [entryName]: './src/main.tsx' },
    // Minified HTML would lose the comments that the composer looks for.
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
