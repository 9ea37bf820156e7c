import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalMarkup, checkFragment } from '@countersign/contracts/check-fragment';
import { fragmentFile, isModuleClass } from '@countersign/contracts/fragment';
import webpack, { type Compilation, type Compiler } from 'webpack';
import { compile } from '../base/compile.ts';
import { startRenderer, type Fragments } from './start-renderer.ts';
import { createRequire } from 'node:module';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { Configuration } from 'webpack';
import { baseConfig, type PartBuild } from '../base/base-config.ts';
import { exposedModuleFile } from '../base/exposed-module-file.ts';
import { sharedModules } from '../base/shared-modules.ts';

/** Build of the exposed components of a remote. */
interface FragmentBuild extends PartBuild {
  readonly remote: RemoteName;
  readonly uniqueName: string;
  readonly exposedKeys: readonly string[];
}

/** File in the output folder with the modules to render: exposed key → module. */
export const fragmentBundleFile = 'fragments.cjs';

/**
 * Prerenders every exposed component and emits the markup. The composer inserts it into the page, so that the
 * page is complete before any script runs.
 */
export function emitFragments(compiler: Compiler, build: FragmentBuild): void {
  compiler.hooks.thisCompilation.tap(emitFragments.name, (compilation) => {
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
    compilation.hooks.processAssets.tapPromise({ name: emitFragments.name, stage }, async () => {
      const { remote } = build;
      for (const [exposed, html] of Object.entries(await renderFragments(build))) {
        // As browsers serialise it, because the shell compares the hash of the parsed markup.
        const markup = canonicalMarkup(html);
        const file = fragmentFile(exposed);
        for (const violation of [
          ...checkFragment(markup, { remote, exposed }),
          ...unstyledClasses(markup, compilation),
        ]) {
          compilation.errors.push(new webpack.WebpackError(`${file}: ${violation}`));
        }
        compilation.emitAsset(file, new webpack.sources.RawSource(markup));
      }
    });
  });
}

/** Finds classes in the markup without a rule: if the two compilations name classes differently, the markup is unstyled. */
function unstyledClasses(markup: string, compilation: Compilation): readonly string[] {
  const styles = Object.entries(compilation.assets)
    .filter(([file]) => file.endsWith('.css'))
    .map(([, source]) => source.source().toString())
    .join('\n');
  const used = [...markup.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(' ').filter(isModuleClass),
  );
  const missing = [...new Set(used)].filter((name) => !styles.includes(`.${name}`));
  return missing.map((name) => `no stylesheet of the part has the class ${name}.`);
}

async function renderFragments(build: FragmentBuild): Promise<Fragments> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'fragments-'));
  const { root, remote, mutants: { folder } = { folder: temporary.path } } = build;
  await compile(fragmentConfig(build, folder));
  await using renderer = startRenderer({ bundle: join(folder, fragmentBundleFile), root, remote });
  return await renderer.next();
}

/**
 * Creates the webpack configuration that builds the exposed components for Node. All inputs of the hashes of class names and
 * images equal those of the browser build, because otherwise the markup would not match its stylesheet and its files.
 */
function fragmentConfig(
  { remote, uniqueName, exposedKeys, ...build }: FragmentBuild,
  outputFolder: string,
): Configuration {
  const base = baseConfig(build, uniqueName, { extractStyles: false });
  const { resolve } = createRequire(join(build.root, 'package.json'));
  return {
    ...base,
    target: 'node',
    devtool: false,
    entry: { fragments: `data:text/javascript,${encodeURIComponent(exportsOf(build.root, exposedKeys))}` },
    output: {
      ...base.output,
      path: outputFolder,
      // For URLs of images: the path that `auto`, the setting of `baseConfig`, finds in the browser by the URL of its script.
      publicPath: `/${remote}/${build.version}/`,
      filename: fragmentBundleFile,
      library: { type: 'commonjs2' },
    },
    // The part's own copies, with which the worker renders: hooks break with two.
    externals: Object.fromEntries(
      Object.keys(sharedModules).map((name) => [name, `commonjs ${resolve(name)}`]),
    ),
    optimization: { minimize: false, splitChunks: false },
  };
}

function exportsOf(root: string, exposedKeys: readonly string[]): string {
  return exposedKeys
    .map(
      (key) =>
        `export * as ${JSON.stringify(key)} from ${JSON.stringify(join(root, exposedModuleFile(root, key)))};`,
    )
    .join('\n');
}
