import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseConfig } from '@countersign/webpack-config/base-config';
import type { Configuration } from 'webpack';
import { pageDocument } from './page-document.ts';
import { publicFiles } from './public-files.ts';
import { entryFiles, runWebpack } from './run-webpack.ts';
import { filesIn, siteFile, type Site } from './site-files.ts';
import type { Variant } from './variant.ts';
import { benchDirectory, variantConfig } from './variant-config.ts';

const name = 'page';
const variants = './src/page/variants';

interface Bundle {
  readonly entry: string;
  /** Whether dynamic imports become separate chunks. */
  readonly lazyChunks: boolean;
  /** Whether the HTML preloads fonts. */
  readonly preloadsFonts: boolean;
  readonly markup?: string;
}

/** Variant: one bundle without lazy chunks, rendered in the browser. */
export async function plainVariant(folder: string): Promise<Variant> {
  const bundle: Bundle = { entry: `${variants}/rendered-entry.tsx`, lazyChunks: false, preloadsFonts: false };
  return { name: 'plain', ...(await buildSites(bundle, join(folder, 'plain'))) };
}

/** Variant: one bundle with lazy chunks that hydrates a page prerendered at build time. */
export async function prerenderedVariant(folder: string): Promise<Variant> {
  const bundle: Bundle = {
    entry: `${variants}/hydrated-entry.tsx`,
    lazyChunks: true,
    preloadsFonts: true,
    markup: await renderedMarkup({
      root: benchDirectory,
      entry: `${variants}/prerendered-page.tsx`,
      outputFolder: join(folder, 'markup'),
    }),
  };
  return { name: 'prerendered', ...(await buildSites(bundle, join(folder, 'prerendered'))) };
}

async function buildSites(bundle: Bundle, outputFolder: string): Promise<Pick<Variant, 'site' | 'deployed'>> {
  const config = variantConfig({ root: benchDirectory, name, outputFolder });
  const dynamicImportMode = bundle.lazyChunks ? 'lazy' : 'eager';
  const stats = await runWebpack({
    ...config,
    entry: { [name]: bundle.entry },
    module: { ...config.module, parser: { javascript: { dynamicImportMode } } },
  });
  const files = await filesIn(outputFolder);
  const [script, ...others] = entryFiles(stats, name, '.js');
  if (!script || others.length > 0) throw new Error('The bundle is more than one script.');
  const withScript = async (file: string, content: Uint8Array): Promise<Site> => {
    const html = pageDocument({
      scripts: [`/${file}`],
      styles: entryFiles(stats, name, '.css').map((style) => `/${style}`),
      fonts: bundle.preloadsFonts ? basicFonts(files) : [],
      markup: bundle.markup ?? '',
    });
    return new Map([
      ...(await publicFiles()),
      ...files,
      [`/${file}`, await siteFile(`/${file}`, content)] as const,
      ['/', await siteFile('/index.html', Buffer.from(html))] as const,
    ]);
  };
  const content = await readFile(join(outputFolder, script));
  return {
    site: await withScript(script, content),
    // The script contains the pricing component, so its name changes. Stylesheets and lazy chunks keep their
    // names.
    deployed: await withScript(`${name}.0123456789.js`, Buffer.concat([content, Buffer.from('/*2*/')])),
  };
}

/** Fonts of the characters that pages have, to preload. */
export function basicFonts(files: Site): readonly string[] {
  return [...files.keys()].filter((path) => path.includes('basic') && path.endsWith('.woff2'));
}

interface MarkupBuild {
  /** Folder with the sources. */
  readonly root: string;
  /** Module that exports `prerenderedPage()`. */
  readonly entry: string;
  readonly outputFolder: string;
}

/** Builds a page for Node and renders it. */
export async function renderedMarkup({ root, entry, outputFolder }: MarkupBuild): Promise<string> {
  const base = baseConfig({ root, version: '1.0.0' }, name, { extractStyles: false });
  const file = 'markup.cjs';
  const config: Configuration = {
    ...base,
    target: 'node',
    devtool: false,
    entry,
    output: {
      path: outputFolder,
      filename: file,
      library: { type: 'commonjs2' },
      hashFunction: base.output?.hashFunction ?? 'sha256',
    },
    optimization: { minimize: false, splitChunks: false },
  };
  await runWebpack(config);
  const path = join(outputFolder, file);
  const rendered: unknown = createRequire(path)(path);
  if (!isRenderer(rendered)) throw new TypeError(`${file} does not export prerenderedPage().`);
  return rendered.prerenderedPage();
}

function isRenderer(value: unknown): value is { prerenderedPage(): Promise<string> } {
  return typeof value === 'object' && value !== null && 'prerenderedPage' in value;
}
