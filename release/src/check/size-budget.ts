import {
  documentTemplateFile,
  type ChunkFiles,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import { budgetKinds, type BudgetKind } from '@countersign/contracts/size-budget';
import { readVersion } from '../flip/stored-version.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { changedVersions } from './changed-versions.ts';
import { namePlaces, type Finding, type Rule } from './finding.ts';

/** How many of the heaviest files or sources a finding names. */
const namedWeights = 3;

/**
 * What a visitor fetches to see a part must fit the budget that the part states for markup, styles and scripts. Chunks that
 * load on demand are not counted.
 */
export const sizeBudget: Rule = async ({ store, next, live, site }) => {
  const findings = await Promise.all(
    changedVersions({ store, next, live, site }).map(async ({ part, version }) =>
      overBudget(store, (await readVersion(store, part, version)).manifest),
    ),
  );
  return findings.flat();
};

async function overBudget(store: ReleaseStore, manifest: PartManifest): Promise<Finding[]> {
  const { name: part, version, budget } = manifest;
  const finding = (sentence: string): Finding => ({ rule: 'size-budget', part, sentence });
  const statedIn = part === 'shell' ? 'shell/webpack.config.ts' : `${part}/remote.ts`;
  if (!budget) {
    return [
      finding(
        `${part} ${version} states no budget. Add "budget: { markup, style, script }" in kB to ${statedIn}, or "budget" to the part.json of another bundler, then build and publish it again.`,
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const kind of budgetKinds) {
    const weights = await weightsOf(store, manifest, kind);
    const total = weights.reduce((sum, { kilobytes }) => sum + kilobytes, 0);
    if (total <= budget[kind]) continue;
    const remedy = kind === 'script' ? 'Make it lighter, load some of it on demand' : 'Make it lighter';
    findings.push(
      finding(
        `${part} ${version} has ${total.toFixed(1)} kB of ${kind}, ${(total - budget[kind]).toFixed(1)} kB more than its budget of ${budget[kind]} kB. Heaviest: ${heaviest(manifest, kind, weights, total)}. ${remedy}, or raise the budget in ${statedIn}.`,
      ),
    );
  }
  return findings;
}

/** A file, package or folder, and what it weighs compressed. */
interface Weight {
  readonly name: string;
  readonly kilobytes: number;
}

function weightsOf(store: ReleaseStore, manifest: PartManifest, kind: BudgetKind): Promise<Weight[]> {
  const { name: part, version } = manifest;
  return Promise.all(
    [...new Set(filesOf(manifest, kind))].map(async (name) => {
      const { length } = await store.readBytes(part, version, `${name}.br`);
      return { name, kilobytes: length / 1000 };
    }),
  );
}

function filesOf({ name, entry, exposes, fragments = {} }: PartManifest, kind: BudgetKind): string[] {
  if (kind === 'markup') return name === 'shell' ? [documentTemplateFile] : Object.values(fragments);
  const chunks: readonly ChunkFiles[] = [entry, ...Object.values(exposes)];
  return chunks.flatMap(({ scripts, styles }) => (kind === 'script' ? scripts : styles));
}

/** By source where the build has told, which assumes that all sources compress alike; else by file. */
function heaviest(
  { heaviestSources }: PartManifest,
  kind: BudgetKind,
  files: readonly Weight[],
  total: number,
): string {
  const sources = (kind === 'markup' ? undefined : heaviestSources?.[kind]) ?? [];
  const bySource = sources.map(({ source, share }) => ({ name: source, kilobytes: share * total }));
  const weights = bySource.length > 0 ? bySource : files;
  return namePlaces(
    weights
      .toSorted((one, other) => other.kilobytes - one.kilobytes)
      .slice(0, namedWeights)
      .map(({ name, kilobytes }) => `${name} (${kilobytes.toFixed(1)} kB)`),
  );
}
