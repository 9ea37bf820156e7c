import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledVariant } from './assembly/bundled-variants.ts';
import { composedVariant } from './assembly/composed-variant.ts';
import { federatedVariant } from './assembly/federated-variant.ts';
import { variantNames, type Variant, type VariantName } from './assembly/variant.ts';
import { measureVariants } from './measure/measure-variants.ts';
import { isProfileName, profiles } from './measure/profiles.ts';
import { pageReport } from './report/page-report.ts';
import { targetResults } from './report/targets.ts';
import { writePageDocument } from './report/write-page-document.ts';

interface PageSpeedOptions {
  readonly runs: number;
  /** Comma-separated names of profiles. */
  readonly profiles?: string | undefined;
  /** Comma-separated names of variants. */
  readonly variants?: string | undefined;
  /** Whether to write the figures into the documentation. */
  readonly write: boolean;
}

const assemblies: Readonly<Record<VariantName, (folder: string) => Promise<Variant>>> = {
  plain: (folder) => bundledVariant('plain', folder),
  prerendered: (folder) => bundledVariant('prerendered', folder),
  default: federatedVariant,
  ours: composedVariant,
};

/** Compares the page of this project with three other ways to build the same sources. */
export async function pageSpeed(options: PageSpeedOptions): Promise<{ figures: unknown; report: string }> {
  const chosenProfiles = parseNames(options.profiles, Object.keys(profiles)).filter(isProfileName);
  const names = parseNames(options.variants, variantNames);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-page-'));
  const variants: Variant[] = [];
  for (const name of variantNames.filter((known) => names.includes(known))) {
    progress(`building ${name}`);
    variants.push(await assemblies[name](folder.path));
  }
  const measurement = await measureVariants(variants, chosenProfiles, options.runs, progress);
  if (options.write) await writePageDocument(measurement);
  const targets = Object.entries(measurement.profiles).map(
    ([name, rounds]) => [name, isProfileName(name) ? targetResults(name, rounds) : []] as const,
  );
  return {
    figures: { ...measurement, targets: Object.fromEntries(targets) },
    report: pageReport(measurement),
  };
}

function parseNames(list: string | undefined, known: readonly string[]): readonly string[] {
  const names = list?.split(',') ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown name "${unknown}". Known names: ${known.join(', ')}.`);
  return names;
}

function progress(text: string): void {
  console.error(`page: ${text}`);
}
