import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteNames } from '@countersign/contracts/remotes';
import { composedVariant } from './assembly/composed-variant.ts';
import { buildPage, buildRemote } from './assembly/build-page.ts';
import type { Variant, VariantName } from './assembly/site-files.ts';
import { measureVariants } from './measure/measure-variants.ts';
import type { ProfileName } from './measure/visit.ts';
import { benchmarkTables } from './benchmark-tables.ts';

/** A variant in one bundle. Its second build stands for a deploy of mf-pricing: only the bundle, `page.<hash>.js`, differs. */
async function bundledVariant(name: 'plain' | 'prerendered', folder: string): Promise<Variant> {
  const build = (state: string, changedScripts?: RegExp) =>
    buildPage({ kind: name, outputFolder: join(folder, name, state), changedScripts });
  return { name, site: await build('before'), deployed: await build('after', /^page\./) };
}

/** Host and remotes with the settings from federation's documentation. */
async function federatedVariant(parent: string): Promise<Variant> {
  const folder = join(parent, 'default');
  const files = [...(await buildPage({ kind: 'default', outputFolder: join(folder, 'host') }))];
  for (const remote of remoteNames) files.push(...(await buildRemote(remote, folder)));
  const changedPricing = await buildRemote('mf-pricing', join(folder, 'after'), /\.js$/);
  const unchanged = files.filter(([path]) => !path.startsWith('/mf-pricing/'));
  return { name: 'default', site: new Map(files), deployed: new Map([...unchanged, ...changedPricing]) };
}

const assemblies: Readonly<Record<VariantName, (folder: string) => Promise<Variant>>> = {
  plain: (folder) => bundledVariant('plain', folder),
  prerendered: (folder) => bundledVariant('prerendered', folder),
  default: federatedVariant,
  ours: composedVariant,
};

export const variantNames = Object.keys(assemblies) as readonly VariantName[];

/** Compares the page of this project with three other ways to build the same sources. Returns tables, also if a visit has failed. */
export async function pageSpeed(
  runs: number,
  profileNames: readonly ProfileName[],
  names: readonly VariantName[],
): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-page-'));
  const variants: Variant[] = [];
  for (const name of names) {
    progress(`building ${name}`);
    variants.push(await assemblies[name](folder.path));
  }
  const measurement = await measureVariants(variants, profileNames, runs, progress);
  if (measurement.failure !== undefined) {
    progress(`stopped at ${measurement.failure}`);
    process.exitCode = 1;
  }
  return benchmarkTables(measurement);
}

function progress(text: string): void {
  console.error(`page: ${text}`);
}
