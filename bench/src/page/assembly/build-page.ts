import { createRequire } from 'node:module';
import { join } from 'node:path';
import { remoteNames, type RemoteDefinition, type RemoteName } from '@countersign/contracts/remotes';
import { baseConfig } from '@countersign/webpack-config/base-config';
import { compile } from '@countersign/webpack-config/compile';
import { exposedModuleFile } from '@countersign/webpack-config/exposed-module-file';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import { projectDirectory } from '../../platform/child-programs.ts';
import { entryModule } from './entry-module.ts';
import { pageDocument } from './page-document.ts';
import { filesIn, siteFile, type Site, type VariantName } from './site-files.ts';
import { benchDirectory, variantConfig } from './variant-config.ts';

/** As in federation's documentation: both sides share React as a singleton, without further settings. */
const shared = { react: { singleton: true }, 'react-dom': { singleton: true } };

/** Name of the host and of its bundle, `page.<hash>.js`, which `page-speed.ts` matches. */
const name = 'page';

interface PageBuild {
  readonly kind: Exclude<VariantName, 'ours'>;
  readonly outputFolder: string;
  /** Scripts that differ from an earlier build, as after a deploy. */
  readonly changedScripts?: RegExp | undefined;
}

/** Builds the page around the components of its slots. Returns its files, with the HTML at the path `/`. */
export async function buildPage({ kind, outputFolder, changedScripts }: PageBuild): Promise<Site> {
  const markup = kind === 'prerendered' ? await renderPage(join(outputFolder, 'markup')) : '';
  const folder = join(outputFolder, 'page');
  const config = variantConfig({ root: benchDirectory, name, outputFolder: folder, changedScripts });
  const remotes = Object.fromEntries(
    remoteNames.map((remote) => [remote, `${globalName(remote)}@/${remote}/mf-manifest.json`]),
  );
  const federation = new ModuleFederationPlugin({ name, remotes, shared, dts: false });
  const stats = await compile({
    ...config,
    entry: { [name]: entryModule(kind) },
    module: {
      ...config.module,
      parser: { javascript: { dynamicImportMode: kind === 'plain' ? 'eager' : 'lazy' } },
    },
    plugins: [...(config.plugins ?? []), ...(kind === 'default' ? [federation] : [])],
  });
  const files = await filesIn(folder);
  // Like the composed page, the prerendered page preloads the basic font, because only these two have their text in the HTML.
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
    // The shell's build writes it, and pages without the shell need one as well.
    ['/site.webmanifest', await siteFile('/site.webmanifest', Buffer.from('{}'))] as const,
    ...files,
    ['/', await siteFile('/index.html', Buffer.from(html))] as const,
  ]);
}

async function renderPage(outputFolder: string): Promise<string> {
  const base = baseConfig({ root: benchDirectory, version: '1.0.0' }, name, { extractStyles: false });
  const filename = 'markup.cjs';
  await compile({
    ...base,
    target: 'node',
    devtool: false,
    entry: entryModule('markup'),
    output: { path: outputFolder, filename, library: { type: 'commonjs2' }, hashFunction: 'sha256' },
    optimization: { minimize: false, splitChunks: false },
  });
  const path = join(outputFolder, filename);
  const rendered = createRequire(path)(path) as { markup(): Promise<string> };
  return rendered.markup();
}

/** Builds a remote with the settings from federation's documentation. Returns its files, with paths below its name. */
export async function buildRemote(remote: RemoteName, folder: string, changed?: RegExp): Promise<Site> {
  const root = join(projectDirectory, remote);
  const { remote: definition } = (await import(join(root, 'remote.ts'))) as {
    readonly remote: RemoteDefinition;
  };
  const outputFolder = join(folder, remote);
  const config = variantConfig({ root, name: globalName(remote), outputFolder, changedScripts: changed });
  const federation = new ModuleFederationPlugin({
    name: globalName(remote),
    filename: 'remoteEntry.js',
    exposes: Object.fromEntries(
      Object.keys(definition.exposes).map((key) => [key, exposedModuleFile(root, key)]),
    ),
    shared,
    manifest: true,
    dts: false,
  });
  await compile({ ...config, entry: {}, plugins: [...(config.plugins ?? []), federation] });
  return filesIn(outputFolder, `/${remote}/`);
}

/** Container name of a remote. It must be a valid identifier. */
function globalName(remote: string): string {
  return remote.replaceAll('-', '_');
}
