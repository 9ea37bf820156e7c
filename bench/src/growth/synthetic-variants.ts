import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import { basicFonts, renderedMarkup } from '../page/assembly/bundled-variants.ts';
import { pageDocument } from '../page/assembly/page-document.ts';
import { entryFiles, runWebpack } from '../page/assembly/run-webpack.ts';
import { filesIn, siteFile, type Site } from '../page/assembly/site-files.ts';
import { variantConfig } from '../page/assembly/variant-config.ts';
import {
  asPart,
  exposedKey,
  firstPart,
  sectionSource,
  sectionStyles,
  variableName,
} from './synthetic-part.ts';
import type { SyntheticProject } from './synthetic-project.ts';

const shared = { react: { singleton: true }, 'react-dom': { singleton: true } };

/** The same sections in one bundle, rendered in the browser. */
export async function plainGrowth({ folder, names }: SyntheticProject): Promise<Site> {
  const root = await writeSources(folder, 'plain', [
    `import { createRoot } from 'react-dom/client';`,
    ...bundledSource(names),
    `createRoot(document.getElementById('root')).render(page);`,
  ]);
  await writeSections(root, names);
  return builtPage(root, 'page');
}

/** The same sections in one bundle, which hydrates a page that is prerendered when it is built. */
export async function prerenderedGrowth({ folder, names }: SyntheticProject): Promise<Site> {
  const root = await writeSources(folder, 'prerendered', [
    `import { hydrateRoot } from 'react-dom/client';`,
    ...bundledSource(names),
    `hydrateRoot(document.getElementById('root'), page);`,
  ]);
  await writeSections(root, names);
  const markup = [
    `import { prerender } from 'react-dom/static';`,
    ...bundledSource(names),
    `export const prerenderedPage = async () => new Response((await prerender(page, { progressiveChunkSize: Infinity })).prelude).text();`,
  ];
  await writeFile(join(root, 'markup.tsx'), markup.join('\n'));
  return builtPage(root, 'page', {
    markup: await renderedMarkup({ root, entry: './markup.tsx', outputFolder: join(root, 'markup') }),
  });
}

function bundledSource(names: readonly string[]): readonly string[] {
  return [
    ...names.map((name) => `import ${variableName(name)} from './${name}.tsx';`),
    ...pageSource(`[${names.map(variableName).join(', ')}]`),
  ];
}

async function writeSections(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) await writeFile(join(root, `${name}.tsx`), asPart(sectionSource, name));
}

/** The same sections as remotes, with the settings from federation's documentation. */
export async function federatedGrowth({ folder, names }: SyntheticProject): Promise<Site> {
  const root = await writeSources(folder, 'host', [
    `import { lazy } from 'react';`,
    `import { createRoot } from 'react-dom/client';`,
    ...pageSource(`[${names.map((name) => `lazy(() => import('${name}/section'))`).join(', ')}]`),
    `createRoot(document.getElementById('root')).render(page);`,
  ]);
  await cp(join(root, 'index.tsx'), join(root, 'page.tsx'));
  await writeFile(join(root, 'index.tsx'), `void import('./page.tsx');`);
  const remotes = names.map((name) => [name, `${variableName(name)}@/${name}/mf-manifest.json`] as const);
  const host = await builtPage(root, 'host', { remotes: Object.fromEntries(remotes) });
  const part = await builtRemote(folder);
  const sites = await Promise.all(names.map((name) => remoteFiles(part, name)));
  return new Map([...host, ...sites.flatMap((site) => [...site])]);
}

function pageSource(components: string): readonly string[] {
  return [
    `import { Suspense } from 'react';`,
    `import '../packages/design-tokens/src/base.css';`,
    `import '../shell/src/page.css';`,
    `const components = ${components};`,
    `const page = <main>{components.map((Component, index) => <Suspense key={index}><Component /></Suspense>)}</main>;`,
  ];
}

/** Writes an entry and the files that its build needs into a folder. */
async function writeSources(folder: string, name: string, entry: readonly string[]): Promise<string> {
  const root = join(folder, name);
  await mkdir(root);
  await cp(join(folder, firstPart, 'tsconfig.json'), join(root, 'tsconfig.json'));
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await writeFile(join(root, 'section.module.css'), sectionStyles);
  await writeFile(join(root, 'index.tsx'), entry.join('\n'));
  return root;
}

async function builtPage(
  root: string,
  name: string,
  { remotes, markup }: { readonly remotes?: Readonly<Record<string, string>>; readonly markup?: string } = {},
): Promise<Site> {
  const outputFolder = join(root, 'dist');
  const config = variantConfig({ root, name, outputFolder });
  const stats = await runWebpack({
    ...config,
    entry: { [name]: './index.tsx' },
    plugins: [
      ...(config.plugins ?? []),
      ...(remotes ? [new ModuleFederationPlugin({ name, remotes, shared, dts: false })] : []),
    ],
  });
  const files = await filesIn(outputFolder);
  const html = pageDocument({
    // Those of the composed page are prerendered as well, and preloaded.
    fonts: markup === undefined ? [] : basicFonts(files),
    markup: markup ?? '',
    scripts: entryFiles(stats, name, '.js').map((file) => `/${file}`),
    styles: entryFiles(stats, name, '.css').map((file) => `/${file}`),
  });
  return new Map([...files, ['/', await siteFile('/index.html', Buffer.from(html))] as const]);
}

async function builtRemote(folder: string): Promise<string> {
  const outputFolder = join(folder, 'remote-of-host');
  const name = variableName(firstPart);
  const config = variantConfig({ root: join(folder, firstPart), name, outputFolder });
  await runWebpack({
    ...config,
    entry: {},
    plugins: [
      ...(config.plugins ?? []),
      new ModuleFederationPlugin({
        name,
        filename: 'remoteEntry.js',
        exposes: { [exposedKey]: './src/section.tsx' },
        shared,
        manifest: true,
        dts: false,
      }),
    ],
  });
  return outputFolder;
}

async function remoteFiles(built: string, part: string): Promise<Site> {
  const files = (await readdir(built)).filter((name) => !/\.(map|txt)$/.test(name));
  return new Map(
    await Promise.all(
      files.map(async (name) => {
        const path = `/${part}/${name}`;
        const text = asPart(await readFile(join(built, name), 'utf8'), part);
        return [path, await siteFile(path, Buffer.from(text))] as const;
      }),
    ),
  );
}
