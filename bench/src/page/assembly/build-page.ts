import { createRequire } from 'node:module';
import { join } from 'node:path';
import { baseConfig } from '@countersign/webpack-config/base-config';
import { compile } from '@countersign/webpack-config/compile';
import { exposedModuleFile } from '@countersign/webpack-config/exposed-module-file';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import { projectDirectory } from '../../platform/child-programs.ts';
import { pageDocument } from './page-document.ts';
import { filesIn, siteFile, type Site } from './site-files.ts';
import { benchDirectory, variantConfig } from './variant-config.ts';

/** As in federation's documentation: both sides share React as a singleton, without further settings. */
const shared = { react: { singleton: true }, 'react-dom': { singleton: true } };

const variantsFolder = join(benchDirectory, 'src', 'page', 'variants');
const name = 'page';

interface PageBuild {
  /** File in `src/page/variants`. */
  readonly entry: string;
  readonly outputFolder: string;
  /** Remotes that the page loads at run time. */
  readonly remotes?: readonly string[];
  /** Prerendered markup. Its fonts are preloaded, as in the composed page. */
  readonly markup?: string;
  /** `eager`: one bundle without lazy chunks. */
  readonly dynamicImportMode?: 'lazy' | 'eager';
  /** As for {@link variantConfig}: scripts that differ, for the state after a deploy. */
  readonly deployed?: RegExp | undefined;
}

/** Builds the page around a list of components, and serves it below `/`. */
export async function buildPage({
  entry,
  outputFolder,
  remotes = [],
  markup = '',
  dynamicImportMode = 'lazy',
  deployed,
}: PageBuild): Promise<Site> {
  const config = variantConfig({ root: benchDirectory, name, outputFolder, deployed });
  const manifests = remotes.map(
    (remote) => [remote, `${globalName(remote)}@/${remote}/mf-manifest.json`] as const,
  );
  const federation = new ModuleFederationPlugin({
    name,
    remotes: Object.fromEntries(manifests),
    shared,
    dts: false,
  });
  const stats = await compile({
    ...config,
    entry: { [name]: join(variantsFolder, entry) },
    module: { ...config.module, parser: { javascript: { dynamicImportMode } } },
    plugins: [...(config.plugins ?? []), ...(remotes.length > 0 ? [federation] : [])],
  });
  const files = await filesIn(outputFolder);
  // The subset of the font for Latin text, which the composed page preloads.
  const basicFonts = [...files.keys()].filter((path) => path.includes('basic') && path.endsWith('.woff2'));
  const entryFiles = stats.compilation.entrypoints.get(name)?.getFiles() ?? [];
  const html = pageDocument({
    scripts: entryFiles.filter((file) => file.endsWith('.js')),
    styles: entryFiles.filter((file) => file.endsWith('.css')),
    fonts: markup === '' ? [] : basicFonts,
    markup,
  });
  return new Map([
    ...(await filesIn(join(projectDirectory, 'shell', 'public'))),
    ['/site.webmanifest', await siteFile('/site.webmanifest', Buffer.from('{}'))] as const,
    ...files,
    ['/', await siteFile('/index.html', Buffer.from(html))] as const,
  ]);
}

/** Builds the page for Node and renders it. */
export async function renderPage(outputFolder: string): Promise<string> {
  const base = baseConfig({ root: benchDirectory, version: '1.0.0' }, name, { extractStyles: false });
  const file = 'markup.cjs';
  await compile({
    ...base,
    target: 'node',
    devtool: false,
    entry: join(variantsFolder, 'prerendered-page.tsx'),
    output: {
      path: outputFolder,
      filename: file,
      library: { type: 'commonjs2' },
      hashFunction: base.output?.hashFunction ?? 'sha256',
    },
    optimization: { minimize: false, splitChunks: false },
  });
  const path = join(outputFolder, file);
  const rendered = createRequire(path)(path) as { prerenderedPage(): Promise<string> };
  return rendered.prerenderedPage();
}

interface RemoteBuild {
  /** Folder with the sources. */
  readonly root: string;
  readonly remote: string;
  readonly exposedKeys: readonly string[];
  readonly outputFolder: string;
  readonly deployed?: RegExp | undefined;
}

/** Builds a remote with the settings from federation's documentation. */
export async function buildRemote({
  root,
  remote,
  exposedKeys,
  outputFolder,
  deployed,
}: RemoteBuild): Promise<void> {
  const config = variantConfig({ root, name: globalName(remote), outputFolder, deployed });
  await compile({
    ...config,
    entry: {},
    plugins: [
      ...(config.plugins ?? []),
      new ModuleFederationPlugin({
        name: globalName(remote),
        filename: 'remoteEntry.js',
        exposes: Object.fromEntries(exposedKeys.map((key) => [key, exposedModuleFile(root, key)])),
        shared,
        manifest: true,
        dts: false,
      }),
    ],
  });
}

/** Container name of a remote. It must be a valid identifier. */
function globalName(remote: string): string {
  return remote.replaceAll('-', '_');
}
