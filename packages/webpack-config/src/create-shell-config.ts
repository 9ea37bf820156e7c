import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import webpack, { type Compiler, type Configuration } from 'webpack';
import { baseConfig, type PartBuild } from './base-config.ts';
import { PartManifestPlugin } from './part-manifest-plugin.ts';
import { providedByShell } from './shared-modules.ts';

interface ShellBuild extends PartBuild {
  /** The HTML that the composer completes. */
  readonly documentTemplate: string;
}

const entryName = 'shell';

/** The webpack configuration of the shell: it provides the shared modules and knows no remote. */
export function createShellConfig({ documentTemplate, ...build }: ShellBuild): Configuration {
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
      (compiler: Compiler) => emitDocumentTemplate(compiler, documentTemplate),
      new PartManifestPlugin({ name: 'shell', version: build.version, entryName, exposes: {} }),
    ],
  };
}

function emitDocumentTemplate(compiler: Compiler, template: string): void {
  compiler.hooks.thisCompilation.tap(emitDocumentTemplate.name, (compilation) => {
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
    compilation.hooks.processAssets.tap({ name: emitDocumentTemplate.name, stage }, () => {
      compilation.emitAsset(documentTemplateFile, new webpack.sources.RawSource(template));
    });
  });
}
