import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainVariant, prerenderedVariant } from './assembly/bundled-variants.ts';
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
  /** Names of profiles, with commas between them. */
  readonly profiles?: string | undefined;
  /** Names of variants, with commas between them. */
  readonly variants?: string | undefined;
  /** Whether the figures replace those in the documentation. */
  readonly write: boolean;
}

const assemblies: Readonly<Record<VariantName, (folder: string) => Promise<Variant>>> = {
  plain: plainVariant,
  prerendered: prerenderedVariant,
  default: federatedVariant,
  ours: composedVariant,
};

/** The page of this project beside the same sources put together in three other ways. */
export async function pageSpeed(options: PageSpeedOptions): Promise<{ figures: unknown; report: string }> {
  const chosenProfiles = chosen(options.profiles, Object.keys(profiles)).filter(isProfileName);
  const names = chosen(options.variants, variantNames);
  const folder = await mkdtemp(join(tmpdir(), 'bench-page-'));
  try {
    const variants: Variant[] = [];
    for (const name of variantNames.filter((known) => names.includes(known))) {
      progress(`building ${name}`);
      variants.push(await assemblies[name](folder));
    }
    const measurement = await measureVariants(variants, chosenProfiles, options.runs, progress);
    if (options.write) await writePageDocument(measurement);
    const targets = Object.entries(measurement.profiles).map(([name, rounds]) => [
      name,
      isProfileName(name) ? targetResults(name, rounds) : [],
    ]);
    return {
      figures: { ...measurement, targets: Object.fromEntries(targets) },
      report: pageReport(measurement),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function chosen(list: string | undefined, known: readonly string[]): readonly string[] {
  const names = list?.split(',') ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown name "${unknown}". Choose from: ${known.join(', ')}.`);
  return names;
}

function progress(text: string): void {
  console.error(`page: ${text}`);
}
