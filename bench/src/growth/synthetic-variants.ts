import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPage, buildRemote, globalName } from '../page/assembly/build-page.ts';
import { bundledPages } from '../page/assembly/bundled-variants.ts';
import { joined } from '../page/assembly/federated-variant.ts';
import { siteFile, type Site } from '../page/assembly/site-files.ts';
import type { VariantName } from '../page/assembly/variant.ts';
import { asPart, exposedKey, firstPart, sectionSource, sectionStyles } from './synthetic-part.ts';
import type { SyntheticProject } from './synthetic-project.ts';

/** The variants of the landing page, with synthetic parts. */
export async function buildSyntheticVariants(
  project: SyntheticProject,
): Promise<Readonly<Record<Exclude<VariantName, 'ours'>, Site>>> {
  const components = await writeComponents(project);
  const output = (name: string) => join(project.folder, 'variants', name);
  return {
    plain: await bundledPages.plain(output('plain'), { components }),
    prerendered: await bundledPages.prerendered(output('prerendered'), { components }),
    default: joined([
      await buildPage({
        entry: 'federated-entry.ts',
        outputFolder: output('default'),
        components,
        remotes: project.names,
      }),
      ...(await remotesFiles(project, output('remote'))),
    ]),
  };
}

/** Writes the lists of components that take the place of the landing page's, and the sections that they name. */
async function writeComponents({ folder, names }: SyntheticProject): Promise<string> {
  const components = join(folder, 'components');
  const list = (main: readonly string[]) =>
    `{ Header: () => null, main: [${main.join(', ')}], Footer: () => null };`;
  const imports = names.map((name) => `import ${globalName(name)} from './${name}.tsx';\n`);
  const loads = names.map((name) => `lazy(() => import('${name}/section'))`);
  const files = {
    'section.module.css': sectionStyles,
    'bundled-components.ts': `${imports.join('')}export const bundledComponents = ${list(names.map(globalName))}`,
    'federated-components.ts': `import { lazy } from 'react';\nexport const federatedComponents = ${list(loads)}`,
    ...Object.fromEntries(names.map((name) => [`${name}.tsx`, asPart(sectionSource, name)])),
  };
  await mkdir(components);
  for (const [file, text] of Object.entries(files)) await writeFile(join(components, file), text);
  return components;
}

/** Builds the first remote, and copies its build for the others. */
async function remotesFiles(project: SyntheticProject, outputFolder: string): Promise<readonly Site[]> {
  await buildRemote({
    root: join(project.folder, firstPart),
    remote: firstPart,
    exposedKeys: [exposedKey],
    outputFolder,
  });
  const files = (await readdir(outputFolder)).filter((file) => !/\.(map|txt)$/.test(file));
  return Promise.all(
    project.names.map(async (name) => {
      const copies = files.map(async (file) => {
        const path = `/${name}/${file}`;
        const text = asPart(await readFile(join(outputFolder, file), 'utf8'), name);
        return [path, await siteFile(path, Buffer.from(text))] as const;
      });
      return new Map(await Promise.all(copies));
    }),
  );
}
